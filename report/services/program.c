/* SPDX-License-Identifier: Apache-2.0 */
/* Runs other programs and reads their output. */
#define _GNU_SOURCE
#include "report/services/program.h"

#include "report/say/alloc.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

double program_clock(void)
{
	struct timespec time;
	clock_gettime(CLOCK_MONOTONIC, &time);
	return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

/* Starts a program whose stdout is `output`. */
static int spawn(pid_t *pid, const char *const *arguments, int output)
{
	posix_spawn_file_actions_t files;

	if (posix_spawn_file_actions_init(&files) != 0)
		alloc_failed();
	int error = posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
	if (error == 0)
		error = posix_spawn_file_actions_adddup2(&files, output, STDOUT_FILENO);
	if (error == 0)
		error = posix_spawn_file_actions_addopen(&files, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
	if (error == 0)
		error = posix_spawnp(pid, arguments[0], &files, NULL, (char *const *)arguments, environ);
	posix_spawn_file_actions_destroy(&files);
	return error;
}

/* Waits until the program ends. If `killed` is set, kills the program first. Returns its exit status, or -1. */
static int end(pid_t pid, bool killed)
{
	int status = 0;
	pid_t result;

	if (killed)
		kill(pid, SIGKILL);
	do
		result = waitpid(pid, &status, 0);
	while (result < 0 && errno == EINTR);
	return result == pid && WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/* Reads until the end of the pipe. Returns false if the time limit passes or the buffer is too small. */
static bool read_all(int pipe, double until, char *data, size_t size)
{
	size_t length = 0;

	while (length < size) {
		double left = until - program_clock();
		struct pollfd poll_for = {pipe, POLLIN, 0};
		if (left <= 0 || poll(&poll_for, 1, (int)(left * 1000) + 1) < 0)
			return false;
		if (!poll_for.revents)
			continue;
		ssize_t part = read(pipe, data + length, size - length);
		if (part == 0) {
			data[length] = '\0';
			return true;
		}
		length += part > 0 ? (size_t)part : 0;
	}
	return false;
}

char *program_answer(const char *const *arguments, double seconds, size_t size)
{
	int ends[2];
	pid_t pid;

	if (pipe(ends) != 0)
		return NULL;
	char *data = xmalloc(size);
	(void)fcntl(ends[0], F_SETFD, FD_CLOEXEC);
	(void)fcntl(ends[1], F_SETFD, FD_CLOEXEC);
	int error = spawn(&pid, arguments, ends[1]);
	close(ends[1]);
	bool whole = error == 0 && read_all(ends[0], program_clock() + seconds, data, size);
	close(ends[0]);
	if (error == 0 && end(pid, !whole) == 0 && whole)
		return data;
	free(data);
	return NULL;
}
