/* The kernel's kills for lack of memory in a run's control group: when the last of them came, and whom it met.
 *
 * The kernel tells how many it killed there, not whom, and others may be in the same group. So a kill is the run's only
 * if some process of it may have ended by one about then: by SIGKILL, or with an end that nobody read. Who ended with a
 * status of its own was not killed, whatever that status is: shells pass on 137 of whom they ran. */
#ifndef RTRACK_REPORT_MODEL_KILLS_H
#define RTRACK_REPORT_MODEL_KILLS_H

#include "report/spool/processes.h"
#include "report/spool/series.h"

struct kills {
	bool counted;                 /* the kernel's count was read until the run ended */
	bool happened;                /* the kernel killed somebody in the control group */
	bool of_run;                  /* … who may be of the run; false: all of the run ended otherwise */
	double from, to;              /* between these times; UNKNOWN: nothing happened */
	double limit_mib;             /* of the control group then; UNKNOWN */
	const struct process *victim; /* NULL: nobody, or nobody knows whom */
	bool ended_run;               /* the run ended with the victim, by its status or soon after it */
};

/* Needs cgroup_oom_kills and cgroup_memory_limit_mib of system.csv. */
struct kills kills_find(const struct run *run, const struct processes *processes, const struct series *system);

/* Whether run.json says of the root what is true of another: that the kernel killed it. Whoever wrote that knew the
 * count and that the root died of SIGKILL, or unheard. */
bool kills_met_another(const struct kills *kills, const struct run *run);

/* Of those that were killed, whoever did it, the largest; NULL: nobody, or nobody knows which. */
const struct process *kills_largest(const struct run *run, const struct processes *processes);

/* The peak of a process. Of one whose own nobody read it is what its parent was told of the largest that it reaped,
 * where that is nobody else's. */
double kills_peak(const struct processes *processes, const struct process *process);

#endif
