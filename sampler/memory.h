/* How much memory the members of a run have, at each tick.
 *
 * The proportional set size (PSS) says it, and takes a walk of all page tables of a process. A thread of that process
 * that maps memory waits for the end of the walk. Therefore no walk is made that may take more than a millisecond:
 *
 *   a process alone, small     PSS, carried forward by the change of its RSS until it is read again
 *   a process alone, large     RSS, less what others had of it when it was last walked
 *   forks of one program       a family. It has what each one shares with no other, and once the largest part that one
 *                              of them shares. A fork has nothing of its own at first, then a page for each page fault
 *                              until it is counted (process_count_own_kib), and what its RSS grows by
 *
 * A fork that was not counted yet goes by the part of page faults that gave another of its family pages of its own.
 * All readings of a run get 1 % of the wall time together, and members take turns. */
#ifndef RTRACK_SAMPLER_MEMORY_H
#define RTRACK_SAMPLER_MEMORY_H

#include "sampler/ledger.h"

enum { MEMORY_FAMILIES = 64, MEMORY_WHOLE = 1024 };

struct memory_family {
	uint32_t members; /* at this tick; 0: the place is free */
	uint32_t before;  /* the same at the last tick */
	uint32_t touched; /* how often a member was found to have more of files and shared memory, which may be others'
			   */
	uint32_t part;    /* of page faults that give a page of one's own, in parts of MEMORY_WHOLE; 0: unknown */
	int holder;       /* the member that the shared part is counted with */
	uint64_t shared_kib;
};

struct memory {
	bool pss;             /* false: RSS is all that is wanted */
	int64_t left_ns;      /* what may be spent on readings; negative: spent in advance */
	size_t turn;          /* the place of the member that is read first in the next tick */
	uint64_t guessed_kib; /* of this tick, that was not read: it may be shared */
	struct memory_family
		families[MEMORY_FAMILIES]; /* the first are those alone, the last also has what finds no other place */
};

void memory_open(struct memory *memory, bool pss);

/* Fills the gauges of all living members that were read at this tick, `elapsed_ns` after the one before. */
void memory_read(struct memory *memory, struct ledger *ledger, int64_t elapsed_ns);

/* To be called where a member has become another program. */
void memory_forget(struct member *member);

#endif
