/* SPDX-License-Identifier: Apache-2.0 */
/* Resources requested for a run, as far as the run can find out. `rtrack-report` compares them with the usage. */
#ifndef RTRACK_SAMPLER_RUN_REQUESTED_H
#define RTRACK_SAMPLER_RUN_REQUESTED_H

#include "core/number.h"

struct requested {
	double cpu;
	double memory_mib;
	double gpu;
	double seconds; /* UNKNOWN if not requested; the same applies to the other fields */
	/* Number of nodes of the whole job; the other figures are per node. */
	double nodes;
	double job_cpu;
	double end_time; /* time since the epoch at which the scheduler ends the job */
};

/* Reads Slurm's variables (OUTPUT ENVIRONMENT VARIABLES in sbatch(1)) for the node of the run. Without them, memory and
 * CPUs are the lowest limits of the run's control groups, because Kubernetes and container engines set such limits for
 * a request. */
void requested_read(struct requested *requested, char *const *environment, double memory_limit_mib, double cpu_limit);

#endif
