/* SPDX-License-Identifier: Apache-2.0 */
/* What a run, or a unit of an orchestrator, used of what was asked for on its behalf: CPU, memory, GPU and time. */
#ifndef RTRACK_REPORT_MODEL_EFFICIENCY_H
#define RTRACK_REPORT_MODEL_EFFICIENCY_H

#include "report/model/totals.h"

/* In the order of their rows in total.def. */
enum efficiency_kind { EFFICIENCY_cpu, EFFICIENCY_memory, EFFICIENCY_gpu, EFFICIENCY_time, EFFICIENCY_COUNT };

/* CPU s, MiB, GPU s and s; UNKNOWN where nothing was asked for. Of several allocations the sums: of memory those of
 * their peaks. */
struct efficiency {
	double used[EFFICIENCY_COUNT];
	double asked[EFFICIENCY_COUNT];
};

/* What is asked for at one time. */
struct asked {
	double cpus, memory_mib, gpus, seconds; /* UNKNOWN: not told */
};

struct asked asked_of_run(const struct run *run);

/* Of one allocation, which was there for `seconds`. */
struct efficiency efficiency_of(
	const struct asked *asked, double seconds, double cpu_seconds, double memory_mib, double gpu_seconds);

/* Of a run; its totals are complete but for this. */
struct efficiency efficiency_of_run(const struct totals *totals, const struct run *run, const struct series *process);

/* GPU seconds by the rows of process.csv; UNKNOWN: no row tells. */
double efficiency_gpu_seconds(const struct totals *totals, const struct run *run, const struct series *process);

/* Adds another allocation. */
void efficiency_add(struct efficiency *sum, const struct efficiency *other);

/* The shares, as totals. */
void efficiency_tell(const struct efficiency *efficiency, struct totals *totals);

#endif
