/* How much memory a member uses: PSS within a budget of time, RSS in between.
 *
 * Reading PSS walks the page tables: 42 us for 10 MiB, 2.9 ms for 1 GiB, 27 ms for 8 GiB. So all readings of a run
 * together get 1 % of the wall time, and the PSS of a member is carried forward by the change of its RSS until
 * its turn comes.
 *
 * A fork shares the parent's pages, so each last reading of the family (the processes of one image) is wrong by as much
 * as the whole process. Therefore the family is read anew at once, in advance of the budget up to a bound. Until then
 * what a member's last reading says is its own stays, and the rest is divided by how many the family has now; one that
 * was never read goes by the last reading in its family, and before that counts its part of the RSS. A process that has
 * grown by half is read in advance as well; one that rests, and for which a relative's reading speaks, is read when a
 * sixteenth of the budget allows it. All others that have run take turns, so that no large one waits for ever
 * behind small ones. */
#ifndef RTRACK_SAMPLER_MEMORY_H
#define RTRACK_SAMPLER_MEMORY_H

#include "sampler/ledger.h"

/* The latest reading of a process of an image: it speaks for those of its forks that are as large and not read yet. */
struct memory_like {
	uint64_t image; /* 0: none */
	uint64_t rss_kib;
	uint64_t memory_kib;
	uint32_t family; /* how many ran that image then */
};
enum { MEMORY_LIKES = 8 };

struct memory_budget {
	bool pss;                  /* false: RSS is all that is wanted */
	int64_t left_ns;           /* negative: spent in advance */
	int64_t spoken_left_ns;    /* the same, of those that a relative's reading speaks for */
	struct process_id waiting; /* the member that is next; pid 0: every reading that was wanted was made */
	bool waiting_seen;         /* that member was seen in this tick */
	uint64_t guessed_kib;      /* of this tick, that was not read: it may be shared */
	uint32_t sharing;          /* how often pages have come to be shared, or no longer */
	uint32_t next_like;
	struct memory_like likes[MEMORY_LIKES];
};

void memory_open(struct memory_budget *budget, bool pss);

/* Begins a tick: adds the share of `elapsed_ns` that may be spent. */
void memory_grant(struct memory_budget *budget, int64_t elapsed_ns);

/* Marks the members with last readings that the new members of this tick outdate. */
void memory_outdate(struct memory_budget *budget, struct ledger *ledger);

/* Marks the members that shared pages with one that runs another image now, or has ended. */
void memory_part(struct ledger *ledger, const struct member *member);

/* Fills the gauges of a member that was just read. `hurry`: only a reading that takes little time is made. */
void memory_read(struct memory_budget *budget, struct member *member, bool hurry);

#endif
