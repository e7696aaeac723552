/* SPDX-License-Identifier: Apache-2.0 */
/* The ledger: how much of each member's usage is accounted to the run. It ensures that nothing is lost and nothing is
 * counted twice.
 *
 * The kernel reports two figures for a process: its own usage, and its usage including reaped children (cutime in
 * proc(5); /proc/PID/io has only the inclusive figure). The inclusive figure contains what no sample saw: short-lived,
 * static and killed children. The ledger therefore counts the inclusive figure, and records for each member how much of
 * it is already accounted:
 *
 *   at a reading    the run grows by the excess of the inclusive figure over `accounted`,
 *                   and at least by the growth of the member's own figure
 *   at an end       the run grows by the excess of the final figure over `accounted`; then the whole final figure
 *                   is added to `accounted` of the parent, because the parent's inclusive figure includes the child
 *                   from when it is reaped
 *
 * The parent may be unknown at that moment: it was just forked, or it is a static program that lived between two ticks.
 * The child's usage is then unattributed ("adrift"): it is accounted, but in no member's `accounted`. When a member's
 * inclusive figure grows by more than its own usage and that of its known children, the excess is first taken from the
 * unattributed usage, and is not accounted again. Once the parent is known, its children's usage is attributed to it.
 *
 * Pure arithmetic without system calls, except for memory allocation. */
#ifndef RTRACK_SAMPLER_LEDGER_H
#define RTRACK_SAMPLER_LEDGER_H

#include "os/process.h"

enum { MEMBER_NONE = -1 };

/* State of a member from the last tick (members.c). */
struct member_look {
	bool sampled;  /* it was read at least once */
	bool looked;   /* members_read has tried to read it at least once */
	bool fresh;    /* `reading` was made in this tick */
	bool listed;   /* the process existed at this tick, possibly as a zombie */
	bool unknown;  /* the process could not be read at this tick, and may be alive or not */
	bool caught;   /* `reading` was made before this tick, by sampler_catch */
	bool off;      /* started with RTRACK=off: it has no name and no rows */
	bool dies;     /* the kernel is freeing its memory; the memory in `reading` is from the last tick */
	bool ignores;  /* it has ignored SIGCHLD at some reading: its children's usage is not accounted */
	uint8_t still; /* number of ticks without CPU time, in which the last reading is reused; at most 2 */
	/* Ticks since it was gone; for a living member, ticks since it was first seen without a start row¶. */
	uint8_t age;
	int followed;            /* descriptor from process_follow; negative if none */
	uint64_t environment_of; /* the image whose environment was read to set `off` */
};

/* A member's rows in start.csv and exit.csv, written or pending (announce.c, member_rows.c and ends.c). */
struct member_record {
	bool start_written;
	bool gone_without_row;      /* the process was gone, without an exit row or a zombie */
	bool exit_pending;          /* … and its exit row is still unwritten, because it may write one itself */
	bool peak_final;            /* `peak_rss_kib` is the kernel's final value */
	uint64_t children_peak_kib; /* largest peak of itself and its reaped children, from the process that reaps it */
	int64_t missing_ns;         /* bound on the CPU time since its last reading, if it is gone */
};

/* Memory of a member at its last readings (memory.c). Amounts are in KiB. */
struct member_memory {
	bool placed;           /* it was determined whether it shares its parent's memory */
	bool lodges;           /* it shares its parent's memory, as a child of vfork does until exec */
	bool known;            /* its memory was read since it left its family or was last involved in a fork */
	bool parent;           /* it had a member fork; shared pages become private again when the fork exits */
	uint8_t family;        /* index in memory.families; 0 if none */
	uint8_t read_age;      /* ticks since its page tables were last walked or counted outside a family */
	uint64_t read_rss_kib; /* RSS at the last reading; after a fork, the parent's RSS at that time */
	uint64_t read_faults;
	uint32_t read_touched;       /* its group's `touched` at the last reading */
	uint64_t own_kib;            /* private memory at the last reading; only in a family */
	uint64_t mapped_kib;         /* file pages and shared memory at the last reading */
	uint64_t counted_mapped_kib; /* mapped_kib when private pages were last counted */
	uint64_t file_kib;           /* file pages; GAUGE_UNKNOWN if unknown */
	/* RSS when it was last walked or counted outside a family; 0, as are the next fields, if it never was. */
	uint64_t alone_rss_kib;
	uint64_t alone_kib;  /* its memory at that time */
	uint64_t shared_kib; /* shared memory at that time, which alone_kib excludes */
	uint64_t alone_file_kib,
		alone_file_part_kib; /* all file pages at that time, and the part of them in alone_kib */
	uint64_t too_long_kib;       /* RSS at which a walk took too long; 0 if none did */
	struct process_shared shared;
	uint64_t shared_mapped_kib; /* mapped_kib when `shared` was read */
	uint64_t slow_gauges[GAUGE_COUNT];
};

/* The last row of a member in member.csv (rows.c). */
struct member_row {
	uint64_t counters[COUNTER_COUNT];
	uint64_t gauges[GAUGE_COUNT];
};

/* Whether a member runs an interpreter (lines.c). */
enum language { LANGUAGE_UNKNOWN, LANGUAGE_PYTHON, LANGUAGE_R };
struct member_lines {
	uint64_t image;         /* the image that was examined */
	uint64_t cpu_ns;        /* CPU time of earlier interpreter images that rows of line.csv already include */
	enum language language; /* by the name of the program */
	uint8_t looks;          /* number of examinations so far */
};

struct member {
	struct process_id id;
	int ppid;
	int next;  /* next slot with the same hash */
	bool used; /* the slot holds a member */
	bool ended;
	bool adrift;                       /* it ended while its parent was unknown and possibly a member */
	uint64_t own[COUNTER_COUNT];       /* own usage at the last reading */
	uint64_t before[COUNTER_COUNT];    /* own usage before the run, if the run was attached to it */
	uint64_t accounted[COUNTER_COUNT]; /* the part of its inclusive figure that the run includes */
	uint64_t children[COUNTER_COUNT];  /* the part of `accounted` that ended children added */
	uint64_t peak_rss_kib;             /* largest reading */
	struct process_reading reading;
	uint64_t gauge[GAUGE_COUNT]; /* gauges at the last reading; those of process_read_rollup are carried forward */
	struct member_look look;
	struct member_record record;
	struct member_memory memory;
	struct member_lines lines;
	struct member_row row;
};

struct ledger {
	struct member *members;
	int *buckets;
	size_t capacity; /* number of slots, and of buckets; a power of two */
	size_t top;      /* slots from this one on have never been used */
	int free;        /* head of the list of free slots */
	size_t alive;
	uint64_t delta[COUNTER_COUNT];     /* accounted since the last row */
	const struct process_list *others; /* all processes of the last tick */
	struct process_id root;            /* no process that started before the root is a member */
	struct adrift {
		uint64_t all[COUNTER_COUNT];   /* usage of ended members with an unknown parent */
		uint64_t stale[COUNTER_COUNT]; /* the part of `all` that already existed at the last tick */
		bool any;                      /* some member may have its adrift flag set */
	} adrift;
};

/* Returns the index of the member that is this process, or MEMBER_NONE. It stays valid until ledger_remove. */
int ledger_find(const struct ledger *ledger, struct process_id id);

/* Returns the living member with that pid, or MEMBER_NONE. */
int ledger_find_alive(const struct ledger *ledger, int pid);

/* Returns the living member with that pid, or else an ended one, or MEMBER_NONE. */
int ledger_find_latest(const struct ledger *ledger, int pid);

/* Returns whether the latest member with that pid ignored SIGCHLD. */
bool ledger_has_ignoring(const struct ledger *ledger, int pid);

/* Returns whether process `pid` is `ancestor` or may be its descendant: through the members' parents, or through an
 * unknown process that may be a member. */
bool ledger_may_descend(const struct ledger *ledger, int pid, int ancestor);

/* Adds a member that is not in the ledger yet. Returns its index, or MEMBER_NONE if out of memory. Invalidates pointers
 * to members. */
int ledger_add(struct ledger *ledger, struct process_id id, int ppid);
void ledger_remove(struct ledger *ledger, int index);
void ledger_release(struct ledger *ledger);

/* Accounts for a reading of a living member. */
void ledger_read(struct ledger *ledger, int index, const struct process_reading *reading);

/* Returns a member's own usage, as far as it is known: I/O includes reaped children. */
uint64_t member_own(const struct member *member, enum counter counter);

/* Accounts for the end of a member. `own`: its final own figures, or NULL to use the last reading. `inclusive`: the
 * final figures including reaped children, or NULL. A second call for the same member accounts only for the excess of
 * `inclusive` over the first. */
void ledger_end(struct ledger *ledger, int index, const uint64_t *own, const uint64_t *inclusive);

/* Undoes the end of a member that turns out to be alive, including what the end added to its parent's account. */
void ledger_reopen(struct ledger *ledger, int index);

/* Assigns a new parent to a member whose parent ended without reaping it. If the member has ended, its usage is removed
 * from `accounted` of the old parent, which never included it. */
void ledger_move(struct ledger *ledger, int index, int ppid);

/* Ends a tick. Usage that was already unattributed at the end of the previous tick is dropped. */
void ledger_settle(struct ledger *ledger);

/* Accounts for more CPU time that belongs to no known member. */
void ledger_add_cpu(struct ledger *ledger, uint64_t user_ns, uint64_t system_ns);

#endif
