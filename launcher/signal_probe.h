/* SPDX-License-Identifier: Apache-2.0 */
/* Distinguishes a signal to the launcher alone, which must be passed on, from one to its whole process group, which the
 * command has already received.
 *
 * The kernel does not report the difference. The probe is a process of ours in the same process group that does
 * nothing and has every signal blocked: a signal pending there was sent to the whole group. */
#ifndef RTRACK_LAUNCHER_SIGNAL_PROBE_H
#define RTRACK_LAUNCHER_SIGNAL_PROBE_H

#include "core/base.h"

#include <sys/types.h>

struct signal_probe {
	pid_t pid; /* 0 if there is none; every signal then counts as one to the launcher alone */
	int end;   /* end of a pipe for queries; negative if none */
	/* Signals (bit N-1 is signal N) that an earlier probe received and signal_probe_saw has not yet reported. */
	uint64_t before;
};

/* Starts the probe. Call it with all signals blocked, after the command was forked. The kernel signals a process
 * group from its youngest member to its oldest, so the probe gets a signal before the launcher does. There is no
 * probe if we are process 1, because signals to all processes (kill -1) do not reach process 1. */
void signal_probe_start(struct signal_probe *probe);

/* Returns whether the whole group received `signal`, which the launcher has just accepted. Call it for every accepted
 * signal. */
bool signal_probe_saw(struct signal_probe *probe, int signal);

void signal_probe_stop(struct signal_probe *probe);

#endif
