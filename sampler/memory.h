/* SPDX-License-Identifier: Apache-2.0 */
/* Memory of the members of a run at each tick.
 *
 * The proportional set size (PSS) is the right measure, but reading it walks all page tables of a process, and a thread
 * of that process that maps memory waits for the end of the walk. Therefore no walk is made that may take more than a
 * millisecond:
 *
 *   a process alone, small     PSS, carried forward by the change of its RSS until it is read again
 *   a process alone, large     RSS, minus the part that was shared when its pages were last counted
 *   forks of one program       a family: the private memory of each, plus once the largest part that one of them
 *                              shares. A fork starts without private memory, then gets a page for each page fault
 *                              and the growth of its RSS, until its pages are counted (process_count_own_kib)
 *
 * For a fork that was not counted yet, the share of page faults that create private pages is taken from its family. All
 * readings of a run together get 1 % of the elapsed time, and members take turns. */
#ifndef RTRACK_SAMPLER_MEMORY_H
#define RTRACK_SAMPLER_MEMORY_H

#include "sampler/ledger.h"

enum { MEMORY_FAMILIES = 64, MEMORY_WHOLE = 1024 };

struct memory_family {
	uint32_t members; /* number of members at this tick; 0 if the slot is free */
	uint32_t before;  /* number of members at the last tick */
	uint32_t touched; /* how often a member was found with more files and shared memory, which others may share */
	uint32_t part;    /* share of page faults that create private pages, in units of 1/MEMORY_WHOLE; 0 if unknown */
	int holder;       /* the member with which the shared part is counted */
	uint64_t shared_kib;
};

struct memory {
	bool pss;             /* false if only RSS is wanted */
	int64_t left_ns;      /* remaining time budget for readings; negative if overdrawn */
	size_t turn;          /* slot of the member that is read first in the next tick */
	uint64_t guessed_kib; /* memory of this tick that was estimated without a reading and may be shared */
	/* [0]: processes without a family; last: also families that find no free slot. */
	struct memory_family families[MEMORY_FAMILIES];
};

void memory_open(struct memory *memory, bool pss);

/* Fills the gauges of all living members that were read at this tick. `elapsed_ns`: time since the previous tick. */
void memory_read(struct memory *memory, struct ledger *ledger, int64_t elapsed_ns);

/* Returns the memory that a member gave back by MADV_FREE and that the kernel has not taken, or GAUGE_UNKNOWN. Walks
 * the member's page tables, whatever its size. */
uint64_t memory_lazy_free_kib(const struct member *member);

/* Discards the memory readings of a member that has called exec. */
void memory_forget(struct member *member);

#endif
