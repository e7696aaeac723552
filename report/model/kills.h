/* SPDX-License-Identifier: Apache-2.0 */
/* The kernel's out-of-memory kills in a run's control group: the time of the last kill, and its victim.
 *
 * The kernel counts the processes that it killed in the group without naming them, and the group may contain processes
 * of others. A kill is therefore attributed to the run only if one of its processes may have ended that way at that
 * time: by SIGKILL, or with an unknown end. A process that ended with a status of its own was not killed, even if the
 * status is 137, because shells pass on their command's status. */
#ifndef RTRACK_REPORT_MODEL_KILLS_H
#define RTRACK_REPORT_MODEL_KILLS_H

#include "report/spool/processes.h"
#include "report/spool/series.h"

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

#endif
