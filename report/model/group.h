/* SPDX-License-Identifier: Apache-2.0 */
/* A group: the runs of one job, on one or several nodes and in one or several spools, and their common totals. */
#ifndef RTRACK_REPORT_MODEL_GROUP_H
#define RTRACK_REPORT_MODEL_GROUP_H

#include "report/model/efficiency.h"
#include "report/model/totals.h"
#include "report/spool/runs.h"
#include "report/model/group_sum.h"
#include "report/model/use.h"
#include "report/model/model.h"

/* One run of a group. */
struct group_part {
	struct run run;
	double rank; /* UNKNOWN if not recorded */
	struct totals totals;
	double needed_ticks_mib; /* largest memory in one tick, without file pages that the kernel can drop */
	double gpu_seconds;      /* result of efficiency_gpu_seconds */
	double last_time;        /* time when all processes of the run had ended; INFINITY if unknown */
	size_t host;             /* index into `hosts` */
	size_t first_process, process_count; /* the part's processes are this range of group.processes */
	bool within;          /* another run of the group includes the figures of this run, so sums exclude it */
	bool around;          /* the run includes another run of the group, so comparisons exclude it */
	bool again;           /* the same run was found twice; also `within` */
	bool slow;            /* straggler: duration or CPU time is 25 % and 1 s above the median of all parts */
	bool unfinished;      /* the run was killed, failed, or its end is unknown */
	bool retried;         /* unfinished, and another attempt of its task followed; set by group_find_retried */
	enum outcome outcome; /* outcome as `list` shows it */
	bool died;            /* a process ran out of memory */
	double limit_mib;     /* memory limit of the run's control group, or UNKNOWN */
	/* the run's system.csv is used for its machine, because no concurrent part lasted longer */
	bool of_machine;
};

/* One machine of a group. Network traffic is summed over runs that do not overlap, so that no byte is counted twice. */
struct group_host {
	const char *name;
	size_t parts;
	double cpu_seconds;
	double peak_memory_mib; /* largest memory of all its parts together */
	double peak_bound_mib;  /* upper bound of that peak */
	/* duration of the longest run in seconds; vcpus, online and machine_memory_mib come from this run */
	double longest;
	double vcpus;
	double online; /* CPUs of the machine, regardless of quotas */
	double machine_memory_mib;
	double received_bytes;
	double sent_bytes;
	double start_time, stop_time; /* first start and last end of its parts */
	/* Seconds by which this machine's clock may be ahead of the first machine's clock. If the starts and the
	 * ends of the two machines differ in the same direction, this is the smaller difference; otherwise it is 0. */
	double clock_ahead;
};

/* For each resource, the largest value of a part divided by the mean of all parts. 1 means perfectly balanced.
 * UNKNOWN if there is no mean. */
struct imbalance {
	double cpu;
	double memory;
	double time;
};

/* What to read of a group. */
struct group_wish {
	const char *id;
	const char *labels; /* KEY=VALUE lines; a run must have all these labels; "" for all runs */
	uint64_t process_columns, system_columns; /* columns to sum besides those that every group needs */
	/* also collect the processes and `use`, so that whole_make can present the group as a run */
	bool as_run;
	size_t earlier; /* how many earlier finished groups of the job to read, to compute a request */
};

struct group {
	const char *id;
	bool script;              /* the parts are runs that one script started; otherwise ranks of one job */
	struct group_part *parts; /* sorted by step, then by rank, then by start */
	size_t count;
	size_t counted; /* number of parts that sums include */
	size_t runs;    /* number of different runs */
	struct group_host *hosts;
	size_t host_count;
	struct sum sum;
	struct sum machine; /* sum of system.csv over all machines */
	/* Processes of all parts. Set only with `as_run`. Processes on different machines may have the same pid. */
	struct processes processes;
	struct use use;      /* for each figure, the largest value of any machine; set only with `as_run` */
	struct uses earlier; /* usage of earlier groups, oldest first */
	/* Totals of all parts. Memory peaks are the largest sum over parts that run at the same time, which depends
	 * on the clocks of the machines. */
	struct totals totals;
	double peak_sum_mib; /* upper bound: sum of the peaks of all parts, even if they do not overlap */
	double start_time, stop_time;
	/* Seconds from the first start to the last start of a part, and from the first end to the last end. If all
	 * parts really began and ended together, the smaller value is an upper bound of the clock offset. */
	double start_spread, stop_spread;
	double clock_skew; /* seconds; largest absolute clock_ahead; UNKNOWN if there is one machine */
	struct imbalance imbalance;
	struct efficiency efficiency;
	struct asked asked; /* request of its allocation; UNKNOWN if it has several or requested nothing */
	bool several;       /* the group has several steps, each with its own ranks */
	double of;          /* expected number of ranks; UNKNOWN if not recorded */
	double *missing;    /* ranks without a run */
	size_t missing_count;
	/* Slurm steps that left no run, for example because their program is static or set-user-ID. The totals are
	 * then lower bounds. Set only with `as_run`. */
	size_t silent_steps;
};

/* Reads the runs of a group from the spools, and computes sums, efficiencies and imbalances. Returns 0. If the group
 * has no run or reading fails, prints a message and returns -1. */
int group_read(struct group *group, const struct group_wish *wish, const struct spools *spools);
void group_free(struct group *group);

/* Label of run.json with the number of the attempt. The first attempt may lack this label. */
#define GROUP_ATTEMPT "attempt"
/* Maximum delay in seconds with which another process records the end of a killed attempt. */
#define GROUP_FOUND_LATE 0.1

/* Returns whether all attempts of a task have the same value of the label. The number of the attempt and paths, such as
 * the working directory of an attempt, differ. */
bool group_label_names_task(const cJSON *label);

/* Sets `retried` of all parts. */
void group_find_retried(struct group *group);

/* Sums what the parts used. Returns 0, or -1 with errno E2BIG if the group lasted too long. */
int group_add_up(struct group *group, const struct group_wish *wish);

/* Sets the efficiencies. Call group_add_up first. */
void group_find_efficiency(struct group *group);

/* Sets imbalances, missing ranks and clock offsets. Call this function last. */
void group_balance(struct group *group);

/* Formats "3" for rank 3, "0.3" for rank 3 of step 0 if there are several steps, or "" if the part has no rank. */
enum { GROUP_RANK_SIZE = 64 };
void group_rank_name(const struct group *group, const struct group_part *part, char name[GROUP_RANK_SIZE]);

/* Compares two runs for qsort: by rank, then by start. Runs without a rank come last. */
int group_order(double rank, double start, double other_rank, double other_start);

/* Returns a short phrase for how a part ended, or "" if it finished. */
const char *group_part_end(const struct group_part *part);

/* Outcomes other than success, most severe first. */
enum { GROUP_ENDS = 6 };
extern const enum outcome group_ends[GROUP_ENDS];

/* -- in words: group_text.c -------------------------------------------------------------------------- */

/* Formats "4 runs on 2 machines; rank 2 is slow; rank 3 was killed; rank 4 left no run". */
void group_describe(const struct group *group, char *text, size_t size);

/* Adds the keys of a group, such as start_spread_seconds, imbalance, hosts and members. */
void group_write_json(const struct group *group, cJSON *json);

/* Formats "sort, awk, +2": the names of the jobs, in the order of their first start, and the number of runs that are
 * not named. */
void group_name_script(const struct group *group, char *text, size_t size);

/* -- a group as one run: group_whole.c --------------------------------------------------------------- */

/* A group presented as one run, so that all code that shows runs can also show groups.
 *
 * The totals are those of the group. The run's directory does not exist, so figures that come only from files of a
 * run are unknown. */
struct whole {
	struct run run;
	struct model model;
};

/* Moves the tables and processes of `group` to `whole`. `group` must have been read with `as_run` and must outlive
 * `whole`. */
void whole_make(struct whole *whole, struct group *group, unsigned sections);
void whole_free(struct whole *whole);

#endif
