/* SPDX-License-Identifier: Apache-2.0 */
/* The kernel's kills for lack of memory in a run's control group: when the last of them came, and its victim.
 *
 * The kernel tells how many processes it killed there, not which, and others may be in the same group. Therefore a kill
 * is the run's only if some process of it may have ended by one about then: by SIGKILL, or with an unknown end. A
 * process that ended with a status of its own was not killed, even if that is 137: shells pass on their command's. */
#ifndef RTRACK_REPORT_MODEL_KILLS_H
#define RTRACK_REPORT_MODEL_KILLS_H

#include "report/spool/processes.h"
#include "report/spool/series.h"

struct kills {
	bool counted;                 /* the kernel's count was read until the run ended */
	bool happened;                /* the kernel killed a process in the control group */
	bool of_run;                  /* … which may be of the run; false: all of the run ended otherwise */
	double from, to;              /* between these times; UNKNOWN: nothing happened */
	double limit_mib;             /* of the control group then; UNKNOWN */
	const struct process *victim; /* NULL: none, or unknown which */
	bool ended_run;               /* the run ended with the victim, by its status or soon after it */
};

/* Needs cgroup_oom_kills and cgroup_memory_limit_mib of system.csv. */
struct kills kills_find(const struct run *run, const struct processes *processes, const struct series *system);

/* Whether run.json says of the root what is true of another process: that the kernel killed it. The writer of run.json
 * knew the count, and that the root died of SIGKILL or that its end was unknown. */
bool kills_met_another(const struct kills *kills, const struct run *run);

/* The largest process of those that were killed, by the kernel or by another process; NULL: none, or unknown which. */
const struct process *kills_largest(const struct run *run, const struct processes *processes);

#endif
