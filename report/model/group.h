/* SPDX-License-Identifier: Apache-2.0 */
/* A group: the runs of one job on one or several nodes, in one or several spools, and what they used together. */
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
	double needed_ticks_mib; /* the most memory of any tick, without file pages that the kernel can drop */
	double gpu_seconds;      /* result of efficiency_gpu_seconds */
	double last_time;        /* when the run's last process had ended; INFINITY if unknown */
	size_t host;             /* index into `hosts` */
	size_t first_process, process_count; /* range of this part in `processes` */
	bool around;          /* the run includes the figures of another part, so all sums leave it out */
	bool slow;            /* straggler: its duration or CPU time is 25 % and 1 s above the median of all parts */
	bool unfinished;      /* the run was killed, failed, or its end is unknown */
	enum outcome outcome; /* outcome as `list` shows it */
	bool died;            /* a process ran out of memory */
	double limit_mib;     /* limit of its control group, or UNKNOWN */
	/* the run's system.csv represents the machine: it is the longest among concurrent parts */
	bool of_machine;
};

/* One machine of a group. Figures of the machine come from the longest run and from runs that do not overlap it, so
 * that nothing counts twice. */
struct group_host {
	const char *name;
	size_t parts;
	double cpu_seconds;
	double peak_memory_mib; /* the most memory that its parts had at one time */
	double peak_bound_mib;  /* upper bound of that peak */
	double longest;         /* seconds, duration of the longest run, which supplies the fields below */
	double vcpus;
	double online; /* CPUs of the machine, regardless of quotas */
	double machine_memory_mib;
	double received_bytes;
	double sent_bytes;
	double start_time, stop_time; /* first start and last end of its parts */
	/* Seconds by which this machine's clock may be ahead of the first machine's: the offset between their starts
	 * and between their ends, as far as both agree. */
	double clock_ahead;
};

/* Largest divided by mean: 1 is balanced; UNKNOWN without a mean. */
struct imbalance {
	double cpu;
	double memory;
	double time;
};

/* What to read of a group. */
struct group_wish {
	const char *id;
	const char *labels;                       /* KEY=VALUE lines that all must match; "" matches all runs */
	uint64_t process_columns, system_columns; /* columns to sum in addition to those that a group always needs */
	bool as_run;    /* also compute what only single runs have: all processes, and the basis of the request */
	size_t earlier; /* number of earlier finished groups of the job to read for the request */
};

struct group {
	const char *id;
	bool script;              /* the parts are runs that one script started, instead of ranks of one job */
	struct group_part *parts; /* sorted by rank, then by start */
	size_t count;
	size_t counted; /* number of parts that contain no other part */
	struct group_host *hosts;
	size_t host_count;
	struct sum sum;
	struct sum machine; /* system.csv summed over machines, each counted once */
	/* processes of all parts, only with `as_run`; pids are unique only within a machine */
	struct processes processes;
	struct use use;      /* usage of one machine: the maximum over all machines; only with `as_run` */
	struct uses earlier; /* usage of earlier groups, oldest first */
	/* Totals of all parts: sums, and the concurrent peak. The peak's bounds count concurrent parts, as far as the
	 * machines' clocks agree. */
	struct totals totals;
	double peak_sum_mib; /* sum of the peaks of all parts, whether or not they overlap: an upper bound */
	double start_time, stop_time;
	/* Seconds between the first and the last part. A clock offset enlarges both alike, so the smaller one bounds
	 * the offset if all parts began and ended together. */
	double start_spread, stop_spread;
	double clock_skew; /* seconds, largest absolute clock_ahead; UNKNOWN for one machine */
	struct imbalance imbalance;
	struct efficiency efficiency;
	struct asked asked; /* request of its allocation; UNKNOWN if there are several or nothing was requested */
	bool several;       /* the group has several steps, each with its own ranks */
	double of;          /* expected number of ranks; UNKNOWN if not recorded */
	double *missing;    /* ranks without a run */
	size_t missing_count;
};

/* Reads the runs of a group from the spools. Returns 0, or -1 after a message, also if the group has no run. */
int group_read(struct group *group, const struct group_wish *wish, const struct spools *spools);
void group_free(struct group *group);

/* Sums what the parts used. Requires the parts. Returns 0, or -1 with errno E2BIG, as sum_begin. */
int group_add_up(struct group *group, const struct group_wish *wish);

/* Sets the efficiencies. Requires group_add_up. */
void group_find_efficiency(struct group *group);

/* Sets imbalances, missing ranks and clock offsets; call it last. */
void group_balance(struct group *group);

/* Formats "3" for rank 3, "0.3" for rank 3 of step 0 if there are several steps, or "" without a rank. */
enum { GROUP_RANK_SIZE = 64 };
void group_rank_name(const struct group *group, const struct group_part *part, char name[GROUP_RANK_SIZE]);

/* Comparison for qsort: by rank, runs without a rank last, then by start. */
int group_order(double rank, double start, double other_rank, double other_start);

/* Returns a short phrase for how a part ended, or "" if it finished. */
const char *group_part_end(const struct group_part *part);

/* Outcomes that summaries name, most severe first. */
enum { GROUP_ENDS = 6 };
extern const enum outcome group_ends[GROUP_ENDS];

/* -- in words: group_text.c -------------------------------------------------------------------------- */

/* Formats "4 runs on 2 machines; rank 2 is slow; rank 3 was killed; rank 4 left no run". */
void group_describe(const struct group *group, char *text, size_t size);

/* Adds the keys of a group, such as start_spread_seconds, imbalance, hosts and members. */
void group_write_json(const struct group *group, cJSON *json);

/* Formats "sort, awk, +2": the jobs by first start, and the number of runs that are not named. */
void group_name_script(const struct group *group, char *text, size_t size);

/* -- as one run: group_whole.c ----------------------------------------------------------------------- */

/* Presents a group as one run, so that everything that shows a run can show a group.
 *
 * The figures are the group's. The run's directory does not exist, so figures that come only from a run's own files are
 * unknown. */
struct whole {
	struct run run;
	struct model model;
};

/* Moves tables and processes out of `group`, which was read with `as_run`; `group` must outlive `whole`. */
void whole_make(struct whole *whole, struct group *group, unsigned sections);
void whole_free(struct whole *whole);

#endif
