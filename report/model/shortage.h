/* SPDX-License-Identifier: Apache-2.0 */
/* Whether a run had too little memory according to its records, how much it needed, and how much was available. */
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
	bool counted;                 /* the kernel's count was read until the run ended */
	bool happened;                /* the kernel killed a process in the control group */
	bool of_run;                  /* the killed process may belong to the run */
	double from, to;              /* time range of the kill; UNKNOWN if there was none */
	double limit_mib;             /* limit of the control group at that time, or UNKNOWN */
	const struct process *victim; /* the killed process, or NULL if none or unknown */
	bool ended_run;               /* the run ended because of the kill: by the victim's status, or soon after it */
};

/* Needs cgroup_oom_kills and cgroup_memory_limit_mib of system.csv. */
struct kills kills_find(const struct run *run, const struct processes *processes, const struct series *system);

/* Whether run.json blames the kernel for the root's death although another process was the victim. The writer of
 * run.json knew only the count, and that the root died of SIGKILL or with an unknown end. */
bool kills_met_another(const struct kills *kills, const struct run *run);

/* The largest process that the kernel or another process killed; NULL if none or unknown. */
const struct process *kills_largest(const struct run *run, const struct processes *processes);

/* -- ulimit.c ---------------------------------------------------------------------------------------- */

/* Finds the process that ended a run because it reached a per-process memory limit (setrlimit(2), `ulimit`).
 *
 * The kernel does not report failed allocations. Two facts are required instead: a process failed with nearly all of
 * its limit in use, and its status reached the root of the run. Shells pass on the status of their last command. */
struct ulimit {
	const struct process *process; /* the process that failed, or NULL */
	bool of_data;                  /* the limit is RLIMIT_DATA; otherwise RLIMIT_AS */
	double limit_mib;
	double used_mib; /* usage of the limited resource, lower bound */
};

struct ulimit ulimit_find(const struct run *run, const struct processes *processes);

/* -- shortage.c -------------------------------------------------------------------------------------- */

enum shortage_kind {
	SHORTAGE_NONE,
	SHORTAGE_LIMIT,  /* rtrack-run ended it at --max-memory */
	SHORTAGE_ULIMIT, /* a process failed at its own limit (ulimit -v, -d) */
	SHORTAGE_OOM,    /* the kernel killed a process for lack of memory */
	SHORTAGE_KILLED, /* a process died of SIGKILL near the limit: memory can grow much between two ticks */
	SHORTAGE_SILENT, /* the run ended near the limit, and its sampler was killed with it, so nothing recorded its
			    end */
	SHORTAGE_FILLED  /* the run came so near to the limit that it may have needed more */
};

/* Sizes may be UNKNOWN. A limit at or above the machine's memory does not count as a limit. */
struct shortage {
	enum shortage_kind kind;
	/* the run ended because of the shortage, instead of finishing anyway or ending later for another reason */
	bool ended_run;
	/* Memory that the job needed: the peak of its processes, or what its control group held apart from files on
	 * disk, if that is more. The group's limit counts files in tmpfs, which belong to no process. A group that is
	 * shared, or that has no limit of its own, is ignored. */
	double needed_mib;
	double group_limit_mib; /* limit of the run's control group */
	/* limit of the control group, if its charged memory, including page cache, came near to it */
	double charged_limit_mib;
	/* Smallest of the control group's limit, rtrack-run's --max-memory, and the per-process limit at which the run
	 * ended. */
	double own_limit_mib;
	double wanted_mib; /* requested memory */
	double limit_mib;  /* own_limit_mib, or wanted_mib if there is no own limit */
};

/* `peak_mib` is the peak of needed memory of all processes. Needs shortage_columns of system.csv. */
struct shortage shortage_find(const struct run *run, const struct series *system, const struct processes *processes,
	const struct kills *kills, const struct ulimit *ulimit, double peak_mib);

/* Whether a process of the run died of the shortage. */
bool shortage_is_death(const struct shortage *shortage);

/* Beginning of a sentence that continues with the limit, or NULL if there was no shortage. */
const char *shortage_describe(const struct shortage *shortage);

uint64_t shortage_columns(enum table_id table);

#endif
