/* SPDX-License-Identifier: Apache-2.0 */
/* Reaps the launcher's children: the command, and orphans that the launcher adopts. */
#ifndef RTRACK_LAUNCHER_REAPING_H
#define RTRACK_LAUNCHER_REAPING_H

#include "sampler/sampler.h"

#include <sys/types.h>

/* The kernel's account of a reaped child, including the children that it reaped. */
struct reaped {
	int64_t user_ns;
	int64_t system_ns;
	uint64_t peak_kib; /* peak of the largest process */
};

/* Makes the launcher adopt descendants when their parent ends, or stops that. Returns false if the system does not
 * support it. */
bool reaping_adopt(bool orphans);

/* Finds a child that has ended but is not reaped yet, so that its figures are still readable. Returns false if there is
 * none. */
bool reaping_next(struct child_end *ended);

/* Reaps a child that reaping_next has returned. Returns false if it was already reaped. */
bool reaping_take(pid_t pid, struct reaped *reaped);

/* Returns the signal that has stopped this child since the previous call, or 0. */
int reaping_stop(pid_t pid);

/* Converts ru_maxrss of getrusage(2) from the platform's unit to KiB. */
uint64_t reaping_kib(long maxrss);

#endif
