/* SPDX-License-Identifier: Apache-2.0 */
/* The command, started with everything that the launcher itself was started with. */
#ifndef RTRACK_LAUNCHER_CHILD_H
#define RTRACK_LAUNCHER_CHILD_H

#include "launcher/beside/keep.h"
#include "launcher/options.h"
#include "launcher/signals.h"

struct child {
	pid_t pid;
	int start; /* pipe that tells the child the directory of its run */
	int error; /* pipe with the reason if the command cannot be run */
};

/* Forks a child that waits for child_start. Returns 0, or -1 with errno set. */
int child_fork(
	struct child *child, const struct options *options, const struct signals *signals, const struct keep *keep);

/* Lets the child run the command, as a member of the run in `directory`, or untracked if that is empty. */
void child_start(struct child *child, const char *directory);

/* Returns the errno with which the command could not be run, or 0. Call it after the child has ended. Releases
 * *child. */
int child_finish(struct child *child);

/* Runs the command in place of the launcher. Returns errno. */
int child_replace(char **command);

#endif
