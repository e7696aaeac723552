/* rtrack-gpu's own place in the system, and what it sees of others there. */
#ifndef RTRACK_GPU_PLACE_H
#define RTRACK_GPU_PLACE_H

#include "core/base.h"

/* Parts with all that was inherited, so that no pipe of the job stays open: descriptors, directory, session. */
void place_settle(void);

/* A descriptor that notices when a name in the directory is removed; negative: the system has none. */
int place_watch(const char *directory);

/* Waits for so long, or until the descriptor notices something. */
void place_wait(int watch, int64_t ns);

/* Whether this is the first PID namespace. Drivers tell pids of that one. */
bool place_sees_all_processes(void);

/* Whether a process that can be seen holds a device of NVIDIA's open. */
bool place_uses_nvidia(int pid);

#endif
