/* SPDX-License-Identifier: Apache-2.0 */
/* The process environment of rtrack-gpu, and checks of other processes. */
#ifndef RTRACK_GPU_PLACE_H
#define RTRACK_GPU_PLACE_H

#include "core/base.h"

/* Closes inherited descriptors, leaves the working directory, and starts a session. If a pipe of the job stayed open,
 * its reader would wait for rtrack-gpu. */
void place_settle(void);

/* Returns a descriptor that reports when a file in the directory is removed. Returns a negative value if the system
 * does not support this. */
int place_watch(const char *directory);

/* Waits for `ns`, or until the descriptor `watch` reports a change. */
void place_wait(int watch, int64_t ns);

/* Returns whether this process is in the initial PID namespace. Drivers report the pids of that namespace. */
bool place_sees_all_processes(void);

/* Returns whether a process has an NVIDIA device open. Returns false if its descriptors are not visible. */
bool place_uses_nvidia(int pid);

#endif
