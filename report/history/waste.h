/* SPDX-License-Identifier: Apache-2.0 */
/* Requested and used resources, summed over runs: GiB-hours of memory, CPU-hours and GPU-hours.
 *
 * Memory is reserved for the whole run, so its usage is the peak times the duration; CPU usage is the CPU time. For
 * each resource, only runs with a known request count, whatever their outcome. Usage above a run's request does not
 * reduce the waste of other runs, so it counts only up to the request. */
#ifndef RTRACK_REPORT_HISTORY_WASTE_H
#define RTRACK_REPORT_HISTORY_WASTE_H

#include "report/history/uses.h"

enum waste_kind { WASTE_MEMORY, WASTE_CPU, WASTE_GPU, WASTE_KINDS };

struct waste_sum {
	size_t runs;  /* number of runs with a known request of this resource */
	double asked; /* GiB-hours of memory, otherwise hours */
	double used;
	double asked_most; /* largest request of any run: MiB, CPUs or GPUs */
	double used_most;  /* largest peak memory, mean CPU usage or number of GPUs of any run */
};

struct waste {
	size_t runs;  /* number of runs with any known request */
	double hours; /* total duration of those runs */
	struct waste_sum of[WASTE_KINDS];
};

/* Adds a run. Initialize `waste` with zeros. */
void waste_add(struct waste *waste, const struct use *use);

/* Adds the sums of other runs. */
void waste_join(struct waste *all, const struct waste *waste);

static inline double waste_between(const struct waste *waste, enum waste_kind kind)
{
	return waste->of[kind].asked - waste->of[kind].used;
}

#endif
