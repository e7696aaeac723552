/* SPDX-License-Identifier: Apache-2.0 */
/* rtrack-gpu's own process environment, and its view of other processes. */
#ifndef RTRACK_GPU_PLACE_H
#define RTRACK_GPU_PLACE_H

#include "core/base.h"

/* Releases inherited descriptors, directory and session, so that no pipe of the job stays open. */
void place_settle(void);

/* Returns a descriptor that reports removed names in the directory, or a negative value if unsupported. */
int place_watch(const char *directory);

/* Waits for `ns`, or until the descriptor reports a change. */
void place_wait(int watch, int64_t ns);

/* Returns whether this is the initial PID namespace, whose pids drivers report. */
bool place_sees_all_processes(void);

/* Returns whether a visible process has an NVIDIA device open. */
bool place_uses_nvidia(int pid);

#endif
