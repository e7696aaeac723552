/* The ends of the launcher's children: of the command, and of orphans that the launcher adopts. */
#ifndef RTRACK_LAUNCHER_REAPING_H
#define RTRACK_LAUNCHER_REAPING_H

#include "sampler/sampler.h"

#include <sys/types.h>

/* What the kernel's account of a reaped child says, its own reaped children included. */
struct reaped {
	int64_t user_ns;
	int64_t system_ns;
	uint64_t peak_kib; /* of the largest process */
};

/* Asks that descendants become children of the launcher when their parent ends, or no longer. False where the system
 * cannot. */
bool reaping_adopt(bool orphans);

/* Finds a child that has ended and is not reaped yet, so that its figures can still be read. False: there is none. */
bool reaping_next(struct child_end *ended);

/* Reaps a child that reaping_next has named; false: it was reaped already. */
bool reaping_take(pid_t pid, struct reaped *reaped);

/* The signal that has stopped this child since the previous call; 0: none. */
int reaping_stop(pid_t pid);

/* ru_maxrss of getrusage(2), which has the platform's own unit, as KiB. */
uint64_t reaping_kib(long maxrss);

#endif
