/* How much memory a member uses: PSS within a budget of time, RSS in between.
 *
 * Reading PSS walks the page tables: 42 us for 10 MiB, 2.9 ms for 1 GiB, 27 ms for 8 GiB. All readings of
 * a run together get 1 % of the wall time; a member whose turn has not come is carried forward by the
 * change of its RSS since its last reading. */
#ifndef RTRACK_SAMPLER_MEMORY_H
#define RTRACK_SAMPLER_MEMORY_H

#include "sampler/ledger.h"

struct memory_budget {
	bool pss; /* false: RSS is all that is wanted */
	int64_t left_ns;
};

void memory_open(struct memory_budget *budget, bool pss);

/* Adds the share of `elapsed_ns` that may be spent. */
void memory_grant(struct memory_budget *budget, int64_t elapsed_ns);

/* The memory of a member that was just read, in KiB. `hurry`: only a quick look is allowed. */
uint64_t memory_read(struct memory_budget *budget, struct member *member, bool hurry);

#endif
