/* SPDX-License-Identifier: Apache-2.0 */
/* A group: the runs of one job on several nodes, in one spool or in several, and what they used together. */
#ifndef RTRACK_REPORT_MODEL_GROUP_H
#define RTRACK_REPORT_MODEL_GROUP_H

#include "report/model/efficiency.h"
#include "report/model/totals.h"
#include "report/spool/spools.h"
#include "report/model/group_sum.h"
#include "report/model/use.h"

/* One run of it. */
struct group_part {
	struct run run;
	double rank; /* UNKNOWN: not told */
	struct totals totals;
	double needed_ticks_mib;             /* the most that it needed in a tick */
	double gpu_seconds;                  /* efficiency.h */
	double last_time;                    /* when the last of its processes was gone; INFINITY: unknown */
	size_t host;                         /* a position in `hosts` */
	size_t first_process, process_count; /* in `processes` */
	bool around; /* another part runs inside it, and its figures hold those of that part: it counts in no figure */
	bool slow;   /* a straggler: its time or its CPU time is a quarter above the median of all, and more than 1 s */
	bool unfinished;      /* it was killed, it failed, or its end is unknown */
	enum outcome outcome; /* in the word that list has */
	bool died;            /* a process of it, for lack of memory */
	double limit_mib;     /* of its control group; UNKNOWN: none, or not asked for */
	bool of_machine;      /* its rows of the machine are the machine's: of those at one time the longest */
};

/* One machine of it. What is the machine's is of the run that was there longest, and of others before and after it, and
 * so counts once. */
struct group_host {
	const char *name;
	size_t parts;
	double cpu_seconds;
	double peak_memory_mib; /* of its parts together */
	double peak_bound_mib;  /* the same, at most */
	double longest;         /* s: of the run that the following is of */
	double vcpus;
	double online; /* CPUs, whatever quotas leave */
	double machine_memory_mib;
	double received_bytes;
	double sent_bytes;
	double start_time, stop_time; /* of the first part to start, and the last to end */
	/* s by which its clock may be ahead of that of the first machine: what its start and its end are off alike. */
	double clock_ahead;
};

/* The largest over the mean; 1 is balanced, UNKNOWN where there is no mean. */
struct imbalance {
	double cpu;
	double memory;
	double time;
};

/* What is read of a group. */
struct group_wish {
	const char *id;
	const char *labels;                       /* KEY=VALUE lines, all of which a member must have; "": of any */
	uint64_t process_columns, system_columns; /* to add up, besides those that a group always needs */
	bool as_run;    /* also what only one run can tell: all processes, and what the next request rests on */
	size_t earlier; /* so many earlier groups of the job that finished, for the next request */
};

struct group {
	const char *id;
	bool script;              /* its parts are the runs that one script started, and no ranks of one job */
	struct group_part *parts; /* by rank, then by start */
	size_t count;
	size_t counted; /* parts that are around no other */
	struct group_host *hosts;
	size_t host_count;
	struct sum sum;
	struct sum machine;         /* system.csv of all machines, each once */
	struct processes processes; /* of all, with `as_run` only; their pids are those of their machines */
	struct use use;             /* of a machine, the most of all, with `as_run` only */
	struct uses earlier;        /* the same of earlier groups, the oldest first */
	struct totals totals;       /* of all: their sums, and the peak of what they held at one moment; its bounds are
				     * of the parts that were there at one time, as far as the machines' clocks agree */
	double peak_sum_mib;        /* sum of the peaks of all, whenever they were: no peak is above */
	double start_time, stop_time;
	/* Between the first and the last. Clocks that differ make both the same amount larger, so the smaller one is
	 * the most that they can differ if all parts began and ended together. */
	double start_spread, stop_spread;
	double clock_skew; /* s: the largest clock_ahead without its sign; UNKNOWN for one machine */
	struct imbalance imbalance;
	struct efficiency efficiency;
	struct asked asked; /* of its allocation; UNKNOWN: it has several, or none was told */
	bool several;       /* steps, each with ranks of its own */
	double of;          /* ranks that there should be; UNKNOWN: not told */
	double *missing;    /* ranks of which there is no run */
	size_t missing_count;
};

/* Reads the runs of a group in these spools. Returns 0; or -1 after a message, when there is none as well. */
int group_read(struct group *group, const struct group_wish *wish, const struct spools *spools);
void group_free(struct group *group);

/* Fills what they used, once the parts are known. Returns 0, or -1 with errno E2BIG as sum_begin. */
int group_add_up(struct group *group, const struct group_wish *wish);

/* Fills what they used of what was asked for; they have been added up. */
void group_find_efficiency(struct group *group);

/* Fills how the parts compare, which ranks are missing, and what the clocks may be off; all else has been read. */
void group_balance(struct group *group);

/* "3" for rank 3, "0.3" for rank 3 of step 0 where there are several steps; "" for what has no rank. */
enum { GROUP_RANK_SIZE = 64 };
void group_rank_name(const struct group *group, const struct group_part *part, char name[GROUP_RANK_SIZE]);

/* Which run comes first, as qsort asks for it: by rank, a run without one last, and by their starts. */
int group_order(double rank, double start, double other_rank, double other_start);

/* A word or three on how a part ended, "" if it finished. */
const char *group_part_end(const struct group_part *part);

/* The ends that are named, the gravest first. */
enum { GROUP_ENDS = 6 };
extern const enum outcome group_ends[GROUP_ENDS];

#endif
