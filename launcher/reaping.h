/* SPDX-License-Identifier: Apache-2.0 */
/* Reaps the children of rtrack-run: the command, and orphans that rtrack-run adopts. */
#ifndef RTRACK_LAUNCHER_REAPING_H
#define RTRACK_LAUNCHER_REAPING_H

#include "sampler/sampler.h"

#include <sys/types.h>

/* Usage that the kernel reports for a reaped child. It includes the children that this child has reaped itself. */
struct reaped {
	int64_t user_ns;
	int64_t system_ns;
	uint64_t peak_kib; /* largest peak of a single process */
};

/* If `orphans`, makes rtrack-run adopt descendants whose parents end. Otherwise ends the adoption. Returns false if
 * the system does not support adoption. */
bool reaping_adopt(bool orphans);

/* Finds a child that has ended but is not reaped, so that the child's usage can still be read. Returns false if
 * there is none. */
bool reaping_next(struct child_end *ended);

/* Reaps a child that reaping_next has returned. Returns false if it was already reaped. */
bool reaping_take(pid_t pid, struct reaped *reaped);

/* Returns the signal that has stopped this child since the previous call, or 0. */
int reaping_stop(pid_t pid);

/* Converts ru_maxrss of getrusage(2) from the platform's unit to KiB. */
uint64_t reaping_kib(long maxrss);

#endif
