/* What was asked for on behalf of a run, as far as it can see that: what `rtrack-report` holds against what was used.
 */
#ifndef RTRACK_SAMPLER_RUN_REQUESTED_H
#define RTRACK_SAMPLER_RUN_REQUESTED_H

#include "core/number.h"

struct requested {
	double cpu;
	double memory_mib;
	double gpu;
	double seconds; /* UNKNOWN, as the others: it is not said */
	/* Of the job, where the others are of the node. */
	double nodes;
	double job_cpu;
};

/* By Slurm's variables (OUTPUT ENVIRONMENT VARIABLES of sbatch(1)), for the node that the run is on; memory and CPUs,
 * where those say nothing, are the lowest limits of the run's control groups, which is how Kubernetes and container
 * engines hand on a request. */
void requested_read(struct requested *requested, char *const *environment, double memory_limit_mib, double cpu_limit);

#endif
