/* SPDX-License-Identifier: Apache-2.0 */
/* Starts the command in the state in which rtrack-run itself was started: environment, descriptors and signals. */
#ifndef RTRACK_LAUNCHER_CHILD_H
#define RTRACK_LAUNCHER_CHILD_H

#include "launcher/beside/keep.h"
#include "launcher/options.h"
#include "launcher/signals.h"

struct child {
	pid_t pid;
	int start; /* pipe on which the child receives the directory of its run */
	int error; /* pipe on which the child reports why the command cannot be run */
};

/* Forks a child that waits for child_start. Returns 0, or -1 with errno set. */
int child_fork(
	struct child *child, const struct options *options, const struct signals *signals, const struct keep *keep);

/* Makes the child run the command as a member of the run in `directory`. If `directory` is "", the command is not
 * tracked. */
void child_start(struct child *child, const char *directory);

/* Returns the errno of the failed exec, or 0. Call it after the child has ended. Releases *child. */
int child_finish(struct child *child);

/* Executes the command in place of rtrack-run. Returns errno on failure. */
int child_replace(char **command);

#endif
