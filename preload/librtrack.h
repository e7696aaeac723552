/* SPDX-License-Identifier: Apache-2.0 */
/* Operations on the library as a whole, for include/rtrack.h and for the interposed calls. */
#ifndef RTRACK_PRELOAD_LIBRTRACK_H
#define RTRACK_PRELOAD_LIBRTRACK_H

#include <stdbool.h>

/* Writes this process's last record, ends its run if it is the root, and writes no more. Returns 0, or -1 if the
 * process is not tracked. */
int library_stop(void);

/* Write the last record before a system call by number that ends the process (library_exits) or the calling thread
 * (library_thread_exits). The second one writes it only if the process ends with the thread. */
void library_exits(int status);
void library_thread_exits(int status);

/* Writes the last record before the process ends, while host code may still run. */
void library_ends(int status);

/* Between the two calls, a process that forks ends with status 0 right after the fork. */
void library_becomes_daemon(bool begins);

#endif
