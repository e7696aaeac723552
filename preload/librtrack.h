/* SPDX-License-Identifier: Apache-2.0 */
/* Operations on the library as a whole, for include/rtrack.h and for the interposed calls. */
#ifndef RTRACK_PRELOAD_LIBRTRACK_H
#define RTRACK_PRELOAD_LIBRTRACK_H

#include <stdbool.h>

/* Writes the exit record of this process and ends its tracking. If it is the root, this ends its run. Returns 0, or -1
 * if the process is not tracked. */
int library_stop(void);

/* Begins another run in this process after library_stop, with the settings of the current environment. Returns 0, or -1
 * if library_stop has not ended the tracking, or no run can be made. */
int library_start(void);

/* library_exits writes the exit record before a raw system call that ends the process. library_thread_exits writes
 * it before a raw system call that ends the calling thread, if that is the last thread. */
void library_exits(int status);
void library_thread_exits(int status);

/* Writes the exit record of a process that is about to end. Exit handlers of the host may still run afterwards. */
void library_ends(int status);

/* Returns the patterns of programs that are not tracked if they are executed with this environment, or NULL. */
const char *library_excluded_by(char *const *environment);

/* Call it with true before daemon(3) and with false after it. In between, a process that forks ends with status 0 right
 * after the fork. */
void library_becomes_daemon(bool begins);

#endif
