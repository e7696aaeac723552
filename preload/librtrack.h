/* SPDX-License-Identifier: Apache-2.0 */
/* Operations on the library as a whole, for include/rtrack.h and for the interposed calls. */
#ifndef RTRACK_PRELOAD_LIBRTRACK_H
#define RTRACK_PRELOAD_LIBRTRACK_H

#include <stdbool.h>

/* Writes the exit record of this process and ends its tracking. If it is the root, this ends its run. Returns 0, or -1
 * if the process is not tracked. */
int library_stop(void);

/* Write the exit record before a raw system call that ends the process (library_exits) or the calling thread
 * (library_thread_exits). The second function writes it only if it is the last thread. */
void library_exits(int status);
void library_thread_exits(int status);

/* Writes the exit record of a process that is about to end, while host code may still run. */
void library_ends(int status);

/* Call it with true before daemon(3) and with false after it. In between, a process that forks ends with status 0 right
 * after the fork. */
void library_becomes_daemon(bool begins);

#endif
