/* SPDX-License-Identifier: Apache-2.0 */
/* How much of the CPU, memory, GPU and time requested for a run, or for a workflow unit, was used. */
#ifndef RTRACK_REPORT_MODEL_EFFICIENCY_H
#define RTRACK_REPORT_MODEL_EFFICIENCY_H

#include "report/model/totals.h"

/* Same order as the rows in total.def. */
enum efficiency_kind { EFFICIENCY_cpu, EFFICIENCY_memory, EFFICIENCY_gpu, EFFICIENCY_time, EFFICIENCY_COUNT };

/* In CPU seconds, MiB, GPU seconds and seconds; UNKNOWN if not requested. For several allocations these are sums, also
 * of the memory peaks. */
struct efficiency {
	double used[EFFICIENCY_COUNT];
	double asked[EFFICIENCY_COUNT];
};

/* Resources requested for one allocation. */
struct asked {
	double cpus, memory_mib, gpus, seconds; /* UNKNOWN if not requested */
};

struct asked asked_of_run(const struct run *run);

/* Efficiency of one allocation that lasted `seconds`. */
struct efficiency efficiency_of(
	const struct asked *asked, double seconds, double cpu_seconds, double memory_mib, double gpu_seconds);

/* Efficiency of a run. All totals except the efficiencies must be set. */
struct efficiency efficiency_of_run(const struct totals *totals, const struct run *run, const struct series *process);

/* GPU seconds from the rows of process.csv; UNKNOWN if no row has GPU usage. */
double efficiency_gpu_seconds(const struct totals *totals, const struct run *run, const struct series *process);

/* Adds another allocation to `sum`. */
void efficiency_add(struct efficiency *sum, const struct efficiency *other);

/* Sets the efficiency totals to used divided by requested. */
void efficiency_tell(const struct efficiency *efficiency, struct totals *totals);

#endif
