/* SPDX-License-Identifier: Apache-2.0 */
/* Finds out whether a run had too little memory, how much it needed, and how much was available. */
#ifndef RTRACK_REPORT_MODEL_SHORTAGE_H
#define RTRACK_REPORT_MODEL_SHORTAGE_H

#include "report/spool/processes.h"
#include "report/spool/run.h"
#include "report/spool/series.h"

/* -- kills.c ----------------------------------------------------------------------------------------- */

/* The kernel's out-of-memory kills in a run's control group: the time of the last kill, and its victim.
 *
 * The kernel counts the processes that it killed in the group without naming them, and the group may contain processes
 * of others. A kill is therefore attributed to the run only if one of its processes may have ended that way at that
 * time: by SIGKILL, or with an unknown end. A process that ended with a status of its own was not killed, even if the
 * status is 137, because shells pass on their command's status. */
struct kills {
	bool counted;                 /* the kernel's count of kills was read until the run ended, so it is complete */
	bool happened;                /* the kernel killed a process in the control group */
	bool of_run;                  /* the killed process may belong to the run */
	double from, to;              /* time range of the kill; UNKNOWN if there was none */
	double limit_mib;             /* limit of the control group at the time of the kill, or UNKNOWN */
	const struct process *victim; /* the killed process, or NULL if none or unknown */
	bool ended_run;               /* the run ended because of the kill: with status 137, or soon after the kill */
};

/* Finds the last kill. `system` must have the columns cgroup_oom_kills and cgroup_memory_limit_mib. */
struct kills kills_find(const struct run *run, const struct processes *processes, const struct series *system);

/* Returns true if run.json says that the kernel killed the root, but another process was the victim. run.json may be
 * wrong, because its writer knew only that the count of kills rose and that SIGKILL or an unknown signal ended the
 * root. */
bool kills_met_another(const struct kills *kills, const struct run *run);

/* Returns the largest process that was killed, by the kernel or by another process, or NULL if there is none or if
 * it is unknown. */
const struct process *kills_largest(const struct run *run, const struct processes *processes);

/* -- ulimit.c ---------------------------------------------------------------------------------------- */

/* Finds the process that ended a run because it reached a per-process memory limit (setrlimit(2), `ulimit`).
 *
 * The kernel does not report failed allocations. A process is therefore assumed to have reached its limit if it
 * failed while it used nearly all of the limit, and if its exit status propagated to the root. */
struct ulimit {
	const struct process *process; /* the process that failed, or NULL */
	bool of_data;                  /* true for RLIMIT_DATA, false for RLIMIT_AS */
	double limit_mib;
	double used_mib; /* lower bound of the usage of the limited resource */
};

struct ulimit ulimit_find(const struct run *run, const struct processes *processes);

/* -- shortage.c -------------------------------------------------------------------------------------- */

enum shortage_kind {
	SHORTAGE_NONE,
	SHORTAGE_LIMIT,  /* rtrack-run ended the run at --max-memory */
	SHORTAGE_ULIMIT, /* a process failed at its own limit (ulimit -v, -d) */
	SHORTAGE_OOM,    /* the kernel killed a process for lack of memory */
	SHORTAGE_KILLED, /* a process died of SIGKILL while memory was near the limit */
	SHORTAGE_SILENT, /* the run ended near the limit, and nothing recorded the reason */
	SHORTAGE_FILLED, /* the run came so near to the limit that it may have needed more */
	SHORTAGE_MAYBE /* the run was killed below a limit, and nothing recorded the reason or the memory at its end */
};

/* A lack of memory, and the limits of the run. Sizes may be UNKNOWN. A limit at or above the machine's memory is
 * ignored. */
struct shortage {
	enum shortage_kind kind;
	/* True if the run ended because of the shortage. False if it finished anyway or ended later for another
	 * reason. */
	bool ended_run;
	/* Memory that the job needed: the peak of its processes or, if it is larger, the memory of its control group
	 * without files on disk. The memory of the group includes files on tmpfs, which belong to no process. The
	 * group is ignored if it is shared or has no limit. */
	double needed_mib;
	double group_limit_mib;
	/* limit of the control group if its memory, including page cache, came near the limit; else UNKNOWN */
	double charged_limit_mib;
	double group_kept_mib; /* memory of the control group without files on disk, at the last tick */
	/* Smallest of the control group's limit, rtrack-run's --max-memory, and the per-process limit at which the run
	 * ended. */
	double own_limit_mib;
	double wanted_mib; /* requested memory */
	double limit_mib;  /* own_limit_mib, or wanted_mib if there is no own limit */
};

/* Finds out whether memory was short. `peak_mib` is the peak of the needed memory of all processes. `system` must
 * have the columns of shortage_columns. */
struct shortage shortage_find(const struct run *run, const struct series *system, const struct processes *processes,
	const struct kills *kills, const struct ulimit *ulimit, double peak_mib);

/* Returns true if a process of the run died because memory was short. */
bool shortage_is_death(const struct shortage *shortage);

/* Returns the beginning of a sentence that ends with the limit, such as "The job filled", or NULL if no shortage is
 * certain. */
const char *shortage_describe(const struct shortage *shortage);

uint64_t shortage_columns(enum table_id table);

#endif
