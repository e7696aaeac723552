/* SPDX-License-Identifier: Apache-2.0 */
/* Tests of os/linux/file.c: whether a process has a file open, and whether its pids mean the same as ours. */
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

/* Returns whether the file is held, as seen by a process forked with clone's `flags`, or -1 if it cannot be forked. */
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

/* Calls held_for_child in a separate process, so that `flags` affect only that process. */
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
	ok(held_for_child(0) == 1, "other processes see the hold");
	ok(os_hold(file) == 0 && held_for_child(0) == 1, "holding it again changes nothing");
	ok(write(opened(O_WRONLY | O_APPEND), "row\n", 4) == 4, "other processes can write to a held file");
	int elsewhere = held_elsewhere(CLONE_NEWUSER | CLONE_NEWPID);
	if (elsewhere >= 0)
		ok(elsewhere == 0, "an inner PID namespace sees no holder, since the holder has no pid there");
	os_close(file);
	ok(held_for_child(0) == 0, "a closed file is not held");
}

/* A holder in its own PID namespace has one pid there and another pid here. */
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
		ok(!os_holder(opened(O_RDWR)), "pids of a holder in an inner PID namespace are not ours");
	(void)close(wait_for[1]);
	(void)waitpid(between, &status, 0);
}

static void no_holder_lives(void)
{
	int status;
	pid_t child = fork();

	if (child == 0)
		_exit(os_hold(opened(O_RDONLY)) != 0);
	ok(waitpid(child, &status, 0) == child && status == 0, "a process has held the file");
	ok(!os_holder(opened(O_RDWR)), "the hold ends with its process");
	ok(!os_holder(-1), "a file that is not open has no holder");
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
