/* SPDX-License-Identifier: Apache-2.0 */
/* The process environment of rtrack-gpu, and queries about other processes. */
#ifndef RTRACK_GPU_PLACE_H
#define RTRACK_GPU_PLACE_H

#include "core/base.h"

/* Closes inherited descriptors, leaves the working directory, and starts a session. No pipe of the job stays open. */
void place_settle(void);

/* Returns a descriptor that reports the removal of files in the directory, or a negative value if unsupported. */
int place_watch(const char *directory);

/* Waits for `ns`, or until the descriptor reports a change. */
void place_wait(int watch, int64_t ns);

/* Returns whether this process is in the initial PID namespace. Drivers report pids of that namespace. */
bool place_sees_all_processes(void);

/* Returns whether a visible process has an NVIDIA device open. */
bool place_uses_nvidia(int pid);

#endif
