/* The ledger: how much of each member's use has been accounted to the run, so that nothing is lost and nothing counted
 * twice.
 *
 * The kernel tells two figures of a process: its own use, and its use with that of the children that it reaped (cutime
 * of proc(5); /proc/PID/io has only the latter). The second holds what no sample saw: children that came and went
 * between two ticks, static ones, killed ones. So the ledger counts by the inclusive figure, and keeps for each member
 * how much of it is accounted already:
 *
 *   at a reading    the run grows by what the inclusive figure has above `accounted`,
 *                   and at least by the growth of the member's own figure
 *   at an end       the run grows by what the final figure has above `accounted`; then the whole final figure is
 *                   added to `accounted` of the parent, since the parent's inclusive figure takes it in when it
 *                   reaps the child
 *
 * The parent may be unknown at that moment: it was forked an instant ago, or it is a static program that lived between
 * two ticks. Then what the ended child used is adrift: accounted, but in no member's `accounted`. When some member's
 * inclusive figure grows by more than its own use and its known children's, as much of that growth as is adrift is
 * taken for it and not accounted again. As soon as the parent is known, it has what its own children used.
 *
 * Pure arithmetic, no system calls but for memory. */
#ifndef RTRACK_SAMPLER_LEDGER_H
#define RTRACK_SAMPLER_LEDGER_H

#include "os/process.h"

enum { MEMBER_NONE = -1 };

/* What the last tick saw of a member; members.c. */
struct member_look {
	bool sampled;  /* it was read at least once */
	bool looked;   /* members_read looked at it at least once */
	bool fresh;    /* `reading` was made in this tick */
	bool listed;   /* the process existed at this tick, perhaps as a zombie */
	bool unknown;  /* nothing could be read of the process at this tick; whether it lives is unknown */
	bool caught;   /* `reading` was made before this tick, by sampler_catch */
	bool off;      /* it was started with RTRACK=off: it has no name and no rows */
	bool dies;     /* the kernel takes its memory down: the amount in `reading` is that of the last tick */
	bool ignores;  /* SIGCHLD, at some reading: what its children used is in no account */
	uint8_t still; /* ticks for which its CPU clock has not moved, so that its last reading stands; up to 2 */
	uint8_t age;   /* ticks since it was gone; before that, ticks since it was first seen without a start row */
	int followed;  /* descriptor of process_follow; negative: none */
	uint64_t environment_of; /* the image of which the environment was read for `off` */
};

/* What start.csv and exit.csv have of a member, or are to have; announce.c, hear.c and ends.c. */
struct member_record {
	bool start_written;
	bool gone_unheard;          /* its process was gone, without an exit row or a zombie */
	bool exit_pending;          /* … and there is no row of that yet: its own may come */
	bool peak_final;            /* `peak_rss_kib` is the kernel's */
	uint64_t children_peak_kib; /* of itself and the children that it reaped, from the process that reaps it */
	int64_t missing_ns;         /* CPU time that it may have used beyond its last reading, if it is gone */
};

/* What the last reading said of the memory of a member; memory.c. Amounts are in KiB. */
struct member_memory {
	bool placed;      /* it was looked at whether it shares memory with its parent */
	bool lodges;      /* it lives in its parent's memory, as a child of vfork does until it executes */
	bool known;       /* it was read: alone since it is alone, in its family since it or a child of it was forked */
	bool parent;      /* a fork of it was a member: when that leaves, pages are its own again */
	uint8_t family;   /* of memory.families; 0: none */
	uint8_t read_age; /* ticks since it was walked or counted alone */
	uint64_t read_rss_kib; /* at the last reading, or of a fork and its parent when it was forked */
	uint64_t read_faults;
	uint32_t read_touched;       /* of its family */
	uint64_t own_kib;            /* then; in a family only */
	uint64_t mapped_kib;         /* files and shared memory, then, */
	uint64_t counted_mapped_kib; /* and when it was last counted */
	uint64_t file_kib;           /* GAUGE_UNKNOWN: not told */
	uint64_t alone_rss_kib;      /* when it was last walked or counted alone; 0: it was not, and all of these are */
	uint64_t alone_kib;          /* its memory then, */
	uint64_t shared_kib;         /* what it shared, which is not in that, */
	uint64_t alone_file_kib, alone_file_part_kib; /* pages of files, and which part of these are in its memory */
	uint64_t too_long_kib;                        /* a walk at that RSS took too long; 0: none did */
	struct process_shared shared;
	uint64_t shared_mapped_kib; /* mapped_kib when that was read */
	uint64_t dear[GAUGE_COUNT];
};

/* What the last row of a member in member.csv said; rows.c. */
struct member_row {
	uint64_t counters[COUNTER_COUNT];
	uint64_t gauges[GAUGE_COUNT];
};

/* Whether a member runs an interpreter; lines.c. */
enum language { LANGUAGE_UNKNOWN, LANGUAGE_PYTHON, LANGUAGE_R };
struct member_lines {
	uint64_t image;         /* that was looked into */
	uint64_t cpu_ns;        /* of an interpreter that it was: what rows of line.csv have */
	enum language language; /* by the name of the program */
	uint8_t looks;          /* 0: it was not looked into */
};

struct member {
	struct process_id id;
	int ppid;
	int next;  /* in the chain of its hash */
	bool used; /* the slot holds a member */
	bool ended;
	bool adrift;                       /* it has ended, and its parent was unknown and may be a member */
	uint64_t own[COUNTER_COUNT];       /* at the last reading */
	uint64_t before[COUNTER_COUNT];    /* its own use before the run, if that was attached to it */
	uint64_t accounted[COUNTER_COUNT]; /* how much of its inclusive figure is in the run */
	uint64_t children[COUNTER_COUNT];  /* the part of `accounted` that ended children brought */
	uint64_t peak_rss_kib;             /* the largest reading */
	struct process_reading reading;
	uint64_t gauge[GAUGE_COUNT]; /* at the last reading; those of process_read_rollup carried forward */
	struct member_look look;
	struct member_record record;
	struct member_memory memory;
	struct member_lines lines;
	struct member_row row;
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
	struct process_id root;            /* no process that started before it is a member */
	struct adrift {
		uint64_t all[COUNTER_COUNT];   /* accounted, of ended members with an unknown parent */
		uint64_t stale[COUNTER_COUNT]; /* the part of `all` that was there at the last tick already */
		bool any;                      /* some member may be adrift */
	} adrift;
};

/* The member that is this process, or MEMBER_NONE. An index stays valid until ledger_remove. */
int ledger_find(const struct ledger *ledger, struct process_id id);

/* The member of that pid that has not ended, or MEMBER_NONE. */
int ledger_find_alive(const struct ledger *ledger, int pid);

/* The living member with that pid, else an ended one, or MEMBER_NONE. */
int ledger_find_latest(const struct ledger *ledger, int pid);

/* Whether the latest member of that pid ignored SIGCHLD. */
bool ledger_has_ignoring(const struct ledger *ledger, int pid);

/* Whether process `pid` is `ancestor` or may descend from it: by the members' parents, or through one that is unknown
 * and may be a member. */
bool ledger_may_descend(const struct ledger *ledger, int pid, int ancestor);

/* Adds a member, which must not be there yet; MEMBER_NONE when there is no memory. Invalidates pointers to members. */
int ledger_add(struct ledger *ledger, struct process_id id, int ppid);
void ledger_remove(struct ledger *ledger, int index);
void ledger_release(struct ledger *ledger);

/* Accounts a reading of a living member. */
void ledger_read(struct ledger *ledger, int index, const struct process_reading *reading);

/* What a member used itself, as far as it is known: its I/O is known only with that of the children that it reaped. */
uint64_t member_own(const struct member *member, enum counter counter);

/* Accounts the end of a member. `own`: its own final figures; NULL when they are unknown, and then it ends with those
 * of the last reading. `inclusive`: the final figures with its reaped children, or NULL. A second call for the same
 * member accounts only what `inclusive` has above the first. */
void ledger_end(struct ledger *ledger, int index, const uint64_t *own, const uint64_t *inclusive);

/* Takes the end of a member back, since it lives after all, and with it what the end brought to its parent's account.
 */
void ledger_reopen(struct ledger *ledger, int index);

/* Gives a member another parent, since its parent ended without reaping it. If the member has ended, its use was added
 * to `accounted` of the old parent, which never took it in: that is taken back. */
void ledger_move(struct ledger *ledger, int index, int ppid);

/* Ends a tick: what was adrift at the end of the previous one already, and no member claimed, is dropped. */
void ledger_settle(struct ledger *ledger);

/* Accounts `user_ns` and `system_ns` more, which belong to no member that is known. */
void ledger_add_cpu(struct ledger *ledger, uint64_t user_ns, uint64_t system_ns);

#endif
