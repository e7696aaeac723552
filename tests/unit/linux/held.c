/* SPDX-License-Identifier: Apache-2.0 */
/* os/linux/file.c: whether a process holds a file, and means by a pid what we mean. */
#define _GNU_SOURCE
#include "os/file.h"

#include "tests/unit/lib/scratch.h"
#include "tests/unit/lib/tap.h"

#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static char path[4096];

static int opened(int how)
{
	int file = open(path, how | O_CLOEXEC);
	if (file < 0)
		abort();
	return file;
}

/* Whether the file is held, as a process sees it that is forked with clone's `flags`; -1: it cannot be had. */
static int held_for_child(int flags)
{
	int status;

	if (flags != 0 && unshare(flags) != 0)
		return -1;
	pid_t child = fork();
	if (child == 0)
		_exit(os_holder(opened(O_RDWR)) > 0);
	if (child < 0 || waitpid(child, &status, 0) != child)
		return -1;
	return WEXITSTATUS(status);
}

/* The same, by a process of its own, so that what `flags` unshare stays with it. */
static int held_elsewhere(int flags)
{
	int status;

	pid_t child = fork();
	if (child == 0)
		_exit(held_for_child(flags) + 1);
	if (child < 0 || waitpid(child, &status, 0) != child)
		return -1;
	return WEXITSTATUS(status) - 1;
}

static void others_see_it(void)
{
	int file = opened(O_RDONLY);

	ok(held_for_child(0) == 0, "a file that is only open is not held");
	ok(os_hold(file) == 0, "a file that is open for reading can be held");
	ok(held_for_child(0) == 1, "others see it");
	ok(os_hold(file) == 0 && held_for_child(0) == 1, "once more is no more");
	ok(write(opened(O_WRONLY | O_APPEND), "row\n", 4) == 4, "others can write to it");
	int elsewhere = held_elsewhere(CLONE_NEWUSER | CLONE_NEWPID);
	if (elsewhere >= 0)
		ok(elsewhere == 0, "in a PID namespace below no process holds it, as the holder has no pid there");
	os_close(file);
	ok(held_for_child(0) == 0, "closed, it is not held");
}

/* A process that holds it from within a PID namespace of its own has another number for itself than we have for it. */
static void held_from_below(void)
{
	int said[2], wait_for[2], status;
	char byte = 0;

	if (pipe(said) != 0 || pipe(wait_for) != 0)
		abort();
	pid_t between = fork();
	if (between == 0) {
		bool made = unshare(CLONE_NEWUSER | CLONE_NEWPID) == 0;
		pid_t below = made ? fork() : -1;
		if (below > 0 && close(said[1]) == 0 && close(wait_for[1]) == 0)
			_exit(waitpid(below, &status, 0) != below);
		byte = below == 0 && os_hold(opened(O_RDONLY)) == 0;
		(void)close(wait_for[1]);
		if (write(said[1], &byte, 1) == 1)
			(void)!read(wait_for[0], &byte, 1);
		_exit(0);
	}
	(void)close(wait_for[0]);
	if (read(said[0], &byte, 1) == 1 && byte)
		ok(!os_holder(opened(O_RDWR)), "a holder in a PID namespace below does not mean our pids");
	(void)close(wait_for[1]);
	(void)waitpid(between, &status, 0);
}

static void no_holder_lives(void)
{
	int status;
	pid_t child = fork();

	if (child == 0)
		_exit(os_hold(opened(O_RDONLY)) != 0);
	ok(waitpid(child, &status, 0) == child && status == 0, "a process held it");
	ok(!os_holder(opened(O_RDWR)), "that has ended, and with it the hold");
	ok(!os_holder(-1), "no process holds what is not open");
}

int main(void)
{
	(void)snprintf(path, sizeof path, "%s/table", scratch_directory());
	scratch_write("table", "header\n");
	others_see_it();
	held_from_below();
	no_holder_lives();
	return done();
}
