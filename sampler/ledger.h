/* The ledger: what of each member's use has been accounted to the run, so that nothing is lost and
 * nothing counted twice.
 *
 * The kernel tells two figures of a process: its own use, and its use with that of the children that
 * it reaped (cutime of proc(5); /proc/PID/io knows only the latter). The second holds what no sample
 * saw: children that came and went between two ticks, static ones, killed ones. So the ledger counts
 * by the inclusive figure, and remembers for each member how much of that has been accounted already:
 *
 *   at a reading    the run grows by what the inclusive figure has above `accounted`,
 *                   and at least by the growth of the member's own figure
 *   at an end       the run grows by what the final figure has above `accounted`; then the whole of it
 *                   is added to `accounted` of the parent, whose own inclusive figure takes it in when
 *                   it reaps the child
 *
 * A parent may be unknown at that moment: it was forked a moment ago, or it is a static program that lived between two
 * ticks. What its children brought is adrift until somebody's inclusive figure grows by more than his own and his known
 * children's: that much of it is no news.
 *
 * Pure arithmetic, no system calls but for memory. */
#ifndef RTRACK_SAMPLER_LEDGER_H
#define RTRACK_SAMPLER_LEDGER_H

#include "os/process.h"

enum { MEMBER_NONE = -1 };

struct member {
	struct process_id id;
	int ppid;
	bool used; /* the slot holds a member */
	bool ended;
	bool start_recorded;
	bool sampled;  /* read at least once */
	bool fresh;    /* `reading` is of this tick */
	bool verified; /* it was read as a living process of that pid */
	bool listed;   /* the process was there at this tick, if only as a zombie */
	uint8_t age;   /* ticks since it was gone; or since it was first seen, while no start row is known */
	int followed;  /* process_follow; negative: it is not */
	int next;      /* in the chain of its hash */
	struct process_reading reading;
	uint64_t own[COUNTER_COUNT];       /* at the last reading */
	uint64_t accounted[COUNTER_COUNT]; /* of its inclusive figure */
	uint64_t children[COUNTER_COUNT];  /* of `accounted`: taken over from ended children */
	uint64_t peak_rss_kib;             /* the largest reading */
	/* memory: the last dear reading, the RSS at that instant, what it cost */
	bool dear_known;
	bool dear_outdated; /* others have come to share its pages since */
	uint32_t family;    /* how many run its image, if it was forked with much memory; else 0 */
	uint64_t dear[GAUGE_COUNT];
	uint64_t dear_rss_kib;
	int64_t dear_cost_ns;
	uint64_t gauge[GAUGE_COUNT]; /* at the last reading, dear ones carried forward */
	/* what its last row in member.csv said */
	uint64_t row_counters[COUNTER_COUNT];
	uint64_t row_gauges[GAUGE_COUNT];
};

struct ledger {
	struct member *members;
	int *buckets;
	size_t capacity; /* of members; buckets are as many, a power of two */
	size_t top;      /* slots at and above it have never been used */
	int free;        /* chain of free slots */
	size_t alive;
	uint64_t delta[COUNTER_COUNT];     /* accounted since the last row */
	const struct process_list *others; /* all processes of the last tick */
	struct process_id root;            /* those that started before it have no members as children */
	struct adrift {
		uint64_t all[COUNTER_COUNT];   /* accounted of ended members whose parent is unknown */
		uint64_t stale[COUNTER_COUNT]; /* … since before the last tick */
	} adrift;
};

/* The member that is this process, or MEMBER_NONE. An index stays valid until ledger_remove. */
int ledger_find(const struct ledger *ledger, struct process_id id);

/* The member of that pid that has not ended, or MEMBER_NONE. */
int ledger_find_alive(const struct ledger *ledger, int pid);

/* Whether process `pid` is `ancestor`, or was started by it or by a descendant of it, as far as members tell. */
bool ledger_descends(const struct ledger *ledger, int pid, int ancestor);

/* Adds a member that must not be there yet; MEMBER_NONE when there is no memory. Pointers to members become invalid. */
int ledger_add(struct ledger *ledger, struct process_id id, int ppid);
void ledger_remove(struct ledger *ledger, int index);
void ledger_release(struct ledger *ledger);

/* Accounts a reading of a living member. */
void ledger_read(struct ledger *ledger, int index, const struct process_reading *reading);

/* What a member used itself, as far as it is known: its I/O is read with that of the children that it reaped. */
uint64_t member_own(const struct member *member, enum counter counter);

/* Accounts the end of a member: `own` are its own final figures, or NULL when nobody knows them (then it
 * ends as last seen); `inclusive` those with its reaped children, or NULL. A second end accounts only
 * what `inclusive` still has above the first. */
void ledger_end(struct ledger *ledger, int index, const uint64_t *own, const uint64_t *inclusive);

/* A member turns out to have another parent: its own ended without reaping it. What an ended member had brought to the
 * account of the one that never took it in is taken back. */
void ledger_move(struct ledger *ledger, int index, int ppid);

/* At the end of a tick: what was adrift at the one before, and no parent has claimed, is nobody's. */
void ledger_settle(struct ledger *ledger);

/* Accounts `user` and `system` nanoseconds more, which no member can be named for. */
void ledger_add_cpu(struct ledger *ledger, uint64_t user_ns, uint64_t system_ns);

#endif
