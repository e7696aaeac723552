/* SPDX-License-Identifier: Apache-2.0 */
/* The ledger of a run's processes (members): how much of each process's usage the run has counted. Nothing is lost and
 * nothing is counted twice.
 *
 * The kernel reports two figures for a process: its own usage, and the inclusive figure with its reaped children
 * (cutime in proc(5); /proc/PID/io has only the inclusive figure). The inclusive figure contains children that no tick
 * saw: short-lived, static and killed ones. The ledger therefore counts the inclusive figure, and records for each
 * process in `accounted` how much of it the run has already counted:
 *
 *   at a reading    the run grows by the excess of the inclusive figure over `accounted`,
 *                   and at least by the growth of the process's own figure
 *   at an end       the run grows by the excess of the final figure over `accounted`; then the final figure is
 *                   added to `accounted` of the parent, which will include the child when it reaps it
 *
 * The parent may be unknown at that moment: it was just forked, or it is a static program that lived between two ticks.
 * The child's usage is then unattributed ("adrift"): the run has counted it, but no process has it in `accounted`. If
 * the inclusive figure of a process grows by more than the known usage, the excess is first taken from the unattributed
 * usage and not counted again. Once the parent is known, its children's usage is attributed to it.
 *
 * The ledger makes no system calls, except to allocate memory. */
#ifndef RTRACK_SAMPLER_LEDGER_H
#define RTRACK_SAMPLER_LEDGER_H

#include "os/process.h"

enum { MEMBER_NONE = -1 };

/* What the last tick found out about a process (members.c). */
struct member_look {
	bool sampled;  /* the process was read at least once */
	bool looked;   /* members_read has tried to read the process at least once */
	bool fresh;    /* `reading` is from this tick */
	bool listed;   /* the process existed at this tick, perhaps as a zombie */
	bool unknown;  /* the process could not be read at this tick, so it is unknown whether it is alive */
	bool caught;   /* sampler_catch made `reading` before this tick */
	bool off;      /* the process was started with RTRACK=off, so it has no name and no rows */
	bool dies;     /* the kernel is freeing the memory of the process; memory figures are from the last tick */
	bool ignores;  /* the process has ignored SIGCHLD at some tick, so usage of its children is lost */
	uint8_t still; /* number of consecutive ticks in which the process used no CPU time; at most 2 */
	/* Number of ticks since the process was found to be gone. If it is alive, number of ticks since it was first
	 * seen without a start row. */
	uint8_t age;
	int followed;            /* descriptor from process_follow; negative if none */
	uint64_t environment_of; /* image number (process_reading) of the program whose environment set `off` */
};

/* The rows of a process in start.csv and exit.csv, written or pending (announce.c, member_rows.c, ends.c). */
struct member_record {
	bool start_written;
	bool gone_without_row; /* the process is gone, and it has neither an exit row nor a reading as a zombie */
	/* The exit row of a process that is gone is not written yet, because the process's own row may follow. */
	bool exit_pending;
	bool peak_final;            /* `peak_rss_kib` is the kernel's final value */
	uint64_t children_peak_kib; /* largest peak of the process and its reaped children, from wait4 */
	int64_t missing_ns;         /* for a process that is gone, upper bound on the CPU time since its last reading */
};

/* Memory of a process at its last readings, in KiB (memory.c). */
struct member_memory {
	bool placed; /* it is known whether the process shares its parent's memory */
	bool lodges; /* the process shares its parent's memory, as a child of vfork does until exec */
	/* The memory was read after the last fork that involved the process, and after it left its family. */
	bool known;
	bool parent;           /* the process has forked; when the fork ends, shared pages become private again */
	uint8_t family;        /* index in memory.families; 0 if the process is in no family */
	uint8_t read_age;      /* number of ticks since the last walk or count of a process outside a family */
	uint64_t read_rss_kib; /* RSS at the last reading; after a fork, the parent's RSS at the fork */
	uint64_t read_faults;
	uint32_t read_touched;       /* value of the family's `touched` at the last reading */
	uint64_t own_kib;            /* private memory at the last reading, if the process is in a family */
	uint64_t mapped_kib;         /* file pages and shared memory at the last reading */
	uint64_t counted_mapped_kib; /* mapped_kib when the private pages were last counted */
	uint64_t file_kib;           /* file pages, or GAUGE_UNKNOWN */
	/* RSS at the last walk or count outside a family. If there was none, this field and the next ones are 0. */
	uint64_t alone_rss_kib;
	uint64_t alone_kib;  /* memory at the last walk or count */
	uint64_t shared_kib; /* shared memory at the last walk or count, which alone_kib excludes */
	uint64_t alone_file_kib,
		alone_file_part_kib; /* all file pages at the last walk or count, and those that alone_kib includes */
	uint64_t too_long_kib;       /* RSS at the last walk that took too long; 0 if none did */
	struct process_shared shared;
	uint64_t shared_mapped_kib; /* mapped_kib when `shared` was read */
	uint64_t slow_gauges[GAUGE_COUNT];
};

/* The last reading of how long a process waited for a CPU (cpu_wait.c). */
struct member_wait {
	uint64_t sum_ns; /* sum over the living threads of the process */
	uint64_t cpu_ns; /* CPU time of the process at the last reading; 0 before the first one */
};

/* The last row of a process in member.csv (rows.c). */
struct member_row {
	uint64_t counters[COUNTER_COUNT];
	uint64_t gauges[GAUGE_COUNT];
};

/* The interpreter that a process runs, if any (lines.c). */
enum language { LANGUAGE_UNKNOWN, LANGUAGE_PYTHON, LANGUAGE_R };
struct member_lines {
	uint64_t image;         /* image number (process_reading) of the examined program */
	uint64_t cpu_ns;        /* CPU time before an exec, which line.csv already contains */
	enum language language; /* interpreter, according to the name of the program */
	uint8_t looks;          /* number of examinations until now */
};

struct member {
	struct process_id id;
	int ppid;
	int next;  /* next slot with that hash */
	bool used; /* false if the slot is free */
	bool ended;
	/* The process ended while its parent was unknown, and its usage is unattributed. */
	bool adrift;
	uint64_t own[COUNTER_COUNT];       /* own usage at the last reading */
	uint64_t before[COUNTER_COUNT];    /* own usage before the run, if the run was attached to the process */
	uint64_t accounted[COUNTER_COUNT]; /* the part of the inclusive figure that the run has counted */
	uint64_t children[COUNTER_COUNT];  /* the part of `accounted` that ended children have added */
	uint64_t peak_rss_kib;             /* largest RSS of all readings */
	struct process_reading reading;
	/* Gauges at the last reading. Gauges from process_read_rollup may be older. */
	uint64_t gauge[GAUGE_COUNT];
	struct member_look look;
	struct member_record record;
	struct member_memory memory;
	struct member_wait wait;
	struct member_lines lines;
	struct member_row row;
};

struct ledger {
	struct member *members;
	int *buckets;
	size_t capacity; /* number of slots, which is also the number of buckets; a power of two */
	size_t top;      /* all used slots are below this index */
	int free;        /* head of the list of free slots */
	size_t alive;
	uint64_t delta[COUNTER_COUNT];     /* usage counted since the last row */
	const struct process_list *others; /* list of all processes on the machine at the last tick */
	struct process_id root;            /* the root; processes that started before it do not belong to the run */
	struct adrift {
		uint64_t all[COUNTER_COUNT];   /* usage of ended processes whose parent is unknown */
		uint64_t stale[COUNTER_COUNT]; /* the part of `all` that is from before the last tick */
		bool any;                      /* the field `adrift` of some process may be set */
	} adrift;
};

/* Returns the index of a process, or MEMBER_NONE. The index stays valid until ledger_remove. */
int ledger_find(const struct ledger *ledger, struct process_id id);

/* Returns the living process with that pid, or MEMBER_NONE. */
int ledger_find_alive(const struct ledger *ledger, int pid);

/* Returns the living process with that pid, or else an ended one, or MEMBER_NONE. */
int ledger_find_latest(const struct ledger *ledger, int pid);

/* Returns whether the latest process with that pid has ignored SIGCHLD. */
bool ledger_has_ignoring(const struct ledger *ledger, int pid);

/* Returns whether process `pid` is `ancestor` or may descend from it. A process may descend from it if one of its
 * ancestors is unknown and may belong to the run. */
bool ledger_may_descend(const struct ledger *ledger, int pid, int ancestor);

/* Adds a process that is not in the ledger. Returns its index, or MEMBER_NONE if out of memory. Invalidates pointers to
 * members. */
int ledger_add(struct ledger *ledger, struct process_id id, int ppid);
void ledger_remove(struct ledger *ledger, int index);
void ledger_release(struct ledger *ledger);

/* Counts the usage in a reading of a living process. */
void ledger_read(struct ledger *ledger, int index, const struct process_reading *reading);

/* Returns the usage of a process without its children. I/O may include reaped children, because the kernel does not
 * report it without them. */
uint64_t member_own(const struct member *member, enum counter counter);

/* Counts the final usage of an ended process. `own`: final figures without children, or NULL to use the last reading.
 * `inclusive`: final figures with reaped children, or NULL. A second call adds only the amount by which `inclusive`
 * exceeds the first. */
void ledger_end(struct ledger *ledger, int index, const uint64_t *own, const uint64_t *inclusive);

/* Undoes ledger_end for a process that turns out to be alive, including what its end has added to its parent's
 * account. */
void ledger_reopen(struct ledger *ledger, int index);

/* Changes the parent of a process that its first parent has not reaped. If the process has ended, its usage is moved
 * from the old parent's account to the new one's. */
void ledger_move(struct ledger *ledger, int index, int ppid);

/* Ends a tick. Drops usage that was already unattributed at the previous tick. */
void ledger_settle(struct ledger *ledger);

/* Adds CPU time that belongs to no known process. */
void ledger_add_cpu(struct ledger *ledger, uint64_t user_ns, uint64_t system_ns);

#endif
