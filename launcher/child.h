/* The command: how it is started with everything that the launcher itself was started with. */
#ifndef RTRACK_LAUNCHER_CHILD_H
#define RTRACK_LAUNCHER_CHILD_H

#include "launcher/beside/keep.h"
#include "launcher/options.h"
#include "launcher/signals.h"

struct child {
	pid_t pid;
	int start; /* tells the child where its run is */
	int error; /* tells why the command could not be run */
};

/* Forks a child that waits for child_start. Returns 0, or -1 with errno. */
int child_fork(
	struct child *child, const struct options *options, const struct signals *signals, const struct keep *keep);

/* Lets the child run the command, as a member of the run in `directory`, or untracked if it is empty. */
void child_start(struct child *child, const char *directory);

/* After the child has ended: the errno with which the command could not be run, or 0. Releases *child. */
int child_finish(struct child *child);

/* Runs the command in place of the launcher; returns errno. */
int child_replace(char **command);

#endif
