/* What is asked of the library as a whole, by include/rtrack.h and by the calls that we stand before. */
#ifndef RTRACK_PRELOAD_LIBRTRACK_H
#define RTRACK_PRELOAD_LIBRTRACK_H

#include <stdbool.h>

/* Writes this process' last record, ends its run if it is the root, and says nothing more; -1: it is not tracked. */
int library_stop(void);

/* Before a system call by its number that ends the process, or the calling thread alone: the same, where the process
 * ends with it. */
void library_exits(int status);
void library_thread_exits(int status);

/* Before the process ends, where the host may still be called until it does. */
void library_ends(int status);

/* Until it is told that this is over, a process that forks ends with status 0 as soon as it has. */
void library_becomes_daemon(bool begins);

#endif
