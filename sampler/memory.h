/* SPDX-License-Identifier: Apache-2.0 */
/* Memory of the processes of a run at each tick.
 *
 * The proportional set size (PSS) is the right measure, but the kernel walks all page tables of a process to read it.
 * Meanwhile the threads of that process cannot map memory. A walk that may take more than a millisecond is therefore
 * not made:
 *
 *   a small process           PSS; between two walks, it changes by the growth of RSS
 *   a large process           RSS, minus the part that was shared when its pages were last counted
 *   forks of one program      a family: the private memory of each, plus once the largest shared part of one of them.
 *                             A fork starts without private memory. It then gets one page for each page fault, and the
 *                             growth of its RSS, until its pages are counted (process_count_own_kib)
 *
 * Only some page faults create private pages. For a fork that was not counted yet, the family's share of such faults is
 * assumed. All readings of a run together may use 1 % of the elapsed time, and processes take turns. */
#ifndef RTRACK_SAMPLER_MEMORY_H
#define RTRACK_SAMPLER_MEMORY_H

#include "sampler/ledger.h"

enum { MEMORY_FAMILIES = 64, MEMORY_WHOLE = 1024 };

struct memory_family {
	uint32_t members; /* number of members at this tick; 0 if the slot is free */
	uint32_t before;  /* number of members at the last tick */
	/* Grows when a process has mapped more file pages or shared memory, because other processes may share these
	 * pages. */
	uint32_t touched;
	uint32_t part; /* share of page faults that create private pages, in units of 1/MEMORY_WHOLE; 0 if unknown */
	int holder;    /* index of the process whose shared memory is counted for the family */
	uint64_t shared_kib;
};

struct memory {
	bool pss;             /* false if only RSS is read */
	int64_t left_ns;      /* remaining CPU time for readings; negative if overdrawn */
	size_t turn;          /* slot of the process that is read first in the next tick */
	uint64_t guessed_kib; /* part of the memory at this tick that is an estimate and may be shared */
	uint64_t mapped_kib;  /* part of the memory at this tick that is shared memory, such as mapped tmpfs files */
	/* Slot 0 is for processes without a family. The last slot is shared by all families that found no free slot. */
	struct memory_family families[MEMORY_FAMILIES];
};

void memory_open(struct memory *memory, bool pss);

/* Fills the gauges of the living processes that were read at this tick. `elapsed_ns`: time since the previous tick. */
void memory_read(struct memory *memory, struct ledger *ledger, int64_t elapsed_ns);

/* Returns the memory that a process has freed with MADV_FREE and that the kernel has not reclaimed yet, or
 * GAUGE_UNKNOWN. Walks the page tables, even of a large process. */
uint64_t memory_lazy_free_kib(const struct member *member);

/* Discards the memory readings of a process that has called exec. */
void memory_forget(struct member *member);

#endif
