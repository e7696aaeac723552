/* SPDX-License-Identifier: Apache-2.0 */
/* Starts the command.
 *
 * The child is forked first and waits, because its pid is part of the run's name, and the run must exist before the
 * command's first instruction. Two pipes connect it with rtrack-run: one for the run's directory, one for the errno of
 * a failed exec. Both are close-on-exec, so the command does not inherit them. rtrack-run does not wait for the exec,
 * which may take long on a slow file system. child_finish later determines whether the exec succeeded. */
#define _GNU_SOURCE
#include "launcher/child.h"

#include "core/spool.h"
#include "launcher/preload.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { CHILD_STATUS_ABANDONED = 125 };

/* Replaces rtrack-run's pid by the command's pid in variables of systemd. Removes the variables with the inode
 * number of a pidfd, because the command has another pidfd. Without these variables, the command compares only the
 * pid (sd_listen_fds(3)). */
static void pass_on_pid(pid_t launcher)
{
	static const char *const names[] = {"LISTEN_PID", "WATCHDOG_PID", "SYSTEMD_EXEC_PID"};
	char before[24], own[24];

	(void)snprintf(before, sizeof before, "%ld", (long)launcher);
	(void)snprintf(own, sizeof own, "%ld", (long)getpid());
	for (size_t i = 0; i < ARRAY_LENGTH(names); i++) {
		const char *value = getenv(names[i]);
		if (!value || strcmp(value, before) != 0)
			continue;
		(void)setenv(names[i], own, 1);
		if (i == 0)
			(void)unsetenv("LISTEN_PIDFDID");
	}
}

/* Copies the list of variables, because setenv changes the list. */
static char **keep_environment(void)
{
	size_t count = 0;

	while (environ && environ[count])
		count++;
	char **kept = malloc((count + 1) * sizeof *kept);
	for (size_t i = 0; kept && i <= count; i++)
		kept[i] = i < count ? environ[i] : NULL;
	return kept;
}

int child_replace(char **command)
{
	(void)execvp(command[0], command);
	return errno;
}

/* Reads the run's directory and a NUL, which child_start has written. Returns false if rtrack-run has ended. */
static bool read_directory(int from, char *directory, size_t capacity)
{
	size_t length = 0;

	while (length < capacity) {
		ssize_t got = read(from, directory + length, capacity - length);
		if (got <= 0)
			return false;
		length += (size_t)got;
		if (directory[length - 1] == '\0')
			return true;
	}
	return false;
}

static _Noreturn void run_child(
	int start, int error, const struct options *options, const struct signals *signals, const struct keep *keep)
{
	char directory[SPOOL_PATH_MAX];

	if (!read_directory(start, directory, sizeof directory))
		_exit(CHILD_STATUS_ABANDONED);
	pass_on_pid(getppid());
	char **given = keep_environment();
	if (directory[0] != '\0') {
		(void)setenv("RTRACK_RUN", directory, 1);
		if (!options->no_preload)
			preload_library(options->command[0]);
		options_export(options);
	}
	keep_give(keep);
	signals_give(signals);
	int reason = child_replace(options->command);
	/* The variables that rtrack-run has added may make the environment too large for exec. In this case the
	 * command runs without these variables, and the sampler observes it from outside. */
	if (reason == E2BIG && given) {
		environ = given;
		reason = child_replace(options->command);
	}
	ssize_t ignored = write(error, &reason, sizeof reason);
	(void)ignored;
	_exit(CHILD_STATUS_ABANDONED);
}

int child_fork(
	struct child *child, const struct options *options, const struct signals *signals, const struct keep *keep)
{
	int start[2];
	int error[2];

	if (pipe2(start, O_CLOEXEC) != 0)
		return -1;
	if (pipe2(error, O_CLOEXEC) != 0) {
		(void)close(start[0]);
		(void)close(start[1]);
		return -1;
	}
	pid_t pid = fork();
	if (pid == 0) {
		(void)close(start[1]);
		(void)close(error[0]);
		run_child(start[0], error[1], options, signals, keep);
	}
	int reason = errno;
	(void)close(start[0]);
	(void)close(error[1]);
	if (pid < 0) {
		(void)close(start[1]);
		(void)close(error[0]);
		errno = reason;
		return -1;
	}
	*child = (struct child){.pid = pid, .start = start[1], .error = error[0]};
	return 0;
}

void child_start(struct child *child, const char *directory)
{
	ssize_t ignored = write(child->start, directory, strlen(directory) + 1);
	(void)ignored;
	(void)close(child->start);
	child->start = -1;
}

int child_finish(struct child *child)
{
	int reason = 0;

	if (read(child->error, &reason, sizeof reason) != (ssize_t)sizeof reason)
		reason = 0;
	(void)close(child->error);
	child->error = -1;
	return reason;
}
