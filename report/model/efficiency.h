/* SPDX-License-Identifier: Apache-2.0 */
/* The efficiency of a run or of a workflow unit: which share of the requested CPU, memory, GPU and time it used. */
#ifndef RTRACK_REPORT_MODEL_EFFICIENCY_H
#define RTRACK_REPORT_MODEL_EFFICIENCY_H

#include "report/model/totals.h"

/* The kinds of efficiency, in the order of their rows in total.def. */
enum efficiency_kind { EFFICIENCY_cpu, EFFICIENCY_memory, EFFICIENCY_gpu, EFFICIENCY_time, EFFICIENCY_COUNT };

/* The used and requested amounts, in CPU seconds, MiB, GPU seconds and seconds. UNKNOWN if nothing was requested. For
 * several allocations, each amount is the sum over the allocations, even for memory peaks. For the attempts of one
 * job, memory and time are the largest values of any attempt. */
struct efficiency {
	double used[EFFICIENCY_COUNT];
	double asked[EFFICIENCY_COUNT];
};

/* Resources requested for one allocation. */
struct asked {
	double cpus, memory_mib, gpus, seconds; /* UNKNOWN if not requested */
};

struct asked asked_of_run(const struct run *run);

/* Returns the efficiency of one allocation that lasted `seconds`. */
struct efficiency efficiency_of(
	const struct asked *asked, double seconds, double cpu_seconds, double memory_mib, double gpu_seconds);

/* Returns the efficiency of a run. All totals except the efficiencies must be set. */
struct efficiency efficiency_of_run(const struct totals *totals, const struct run *run, const struct series *process);

/* Returns the GPU seconds of a run from the rows of process.csv, or UNKNOWN if no row has GPU usage. */
double efficiency_gpu_seconds(const struct totals *totals, const struct run *run, const struct series *process);

/* Adds the amounts of another allocation to `sum`. */
void efficiency_add(struct efficiency *sum, const struct efficiency *other);

/* Adds the amounts of another attempt of the same job. */
void efficiency_follow(struct efficiency *sum, const struct efficiency *other);

/* Sets each efficiency in `totals` to the used amount divided by the requested amount. */
void efficiency_tell(const struct efficiency *efficiency, struct totals *totals);

#endif
