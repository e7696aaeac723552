/* SPDX-License-Identifier: Apache-2.0 */
/* Determines whether a signal was sent to rtrack-run alone or to its whole process group. In the second case, the
 * command has already received the signal.
 *
 * The kernel does not report to which of them a signal was sent. Therefore the probe, a child process in the same
 * process group, blocks all signals and does nothing. A signal that is pending in the probe was sent to the whole
 * group. */
#ifndef RTRACK_LAUNCHER_SIGNAL_PROBE_H
#define RTRACK_LAUNCHER_SIGNAL_PROBE_H

#include "core/base.h"

#include <sys/types.h>

struct signal_probe {
	pid_t pid; /* pid of the probe; 0 if there is none, and every signal is treated as sent to rtrack-run alone */
	int end;   /* end of the pipe to the probe (macOS); negative if there is none */
	/* Mask of signals that an earlier probe received and signal_probe_saw has not reported; bit N-1 is signal N. */
	uint64_t before;
};

/* Starts the probe. Call it with all signals blocked, after the command was forked. The kernel signals the youngest
 * process of a group first, so the probe receives a signal before rtrack-run. There is no probe if rtrack-run is
 * process 1, because `kill -1` does not reach process 1. */
void signal_probe_start(struct signal_probe *probe);

/* Returns whether `signal`, which rtrack-run has just accepted, was sent to the whole group. Call it for every accepted
 * signal. */
bool signal_probe_saw(struct signal_probe *probe, int signal);

void signal_probe_stop(struct signal_probe *probe);

#endif
