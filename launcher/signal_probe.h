/* SPDX-License-Identifier: Apache-2.0 */
/* Finds out whether a signal was sent to rtrack-run alone or to its whole process group. In the second case, the
 * command has already received it.
 *
 * The kernel does not report the difference. The probe is a child process in the same process group that does nothing
 * and blocks all signals. A signal that is pending there was sent to the whole group. */
#ifndef RTRACK_LAUNCHER_SIGNAL_PROBE_H
#define RTRACK_LAUNCHER_SIGNAL_PROBE_H

#include "core/base.h"

#include <sys/types.h>

struct signal_probe {
	pid_t pid; /* 0 if there is no probe; then every signal counts as sent to rtrack-run alone */
	int end;   /* end of a pipe for queries (macOS); negative if there is none */
	/* Signals (bit N-1 is signal N) of an earlier probe that signal_probe_saw has not reported. */
	uint64_t before;
};

/* Starts the probe. Call it with all signals blocked, after the command was forked. The kernel signals a process group
 * from its youngest process to its oldest, so the probe gets a signal before rtrack-run. There is no probe if
 * rtrack-run is process 1, because `kill -1` does not reach process 1. */
void signal_probe_start(struct signal_probe *probe);

/* Returns whether `signal`, which rtrack-run has just accepted, was sent to the whole group. Call it for every accepted
 * signal. */
bool signal_probe_saw(struct signal_probe *probe, int signal);

void signal_probe_stop(struct signal_probe *probe);

#endif
