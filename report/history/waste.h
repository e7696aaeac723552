/* SPDX-License-Identifier: Apache-2.0 */
/* Requested and used resources, summed over runs: GiB-hours of memory, CPU-hours and GPU-hours.
 *
 * The used memory is the peak times the duration, because memory is reserved for the whole run. The CPU usage is the
 * CPU time. For each resource, only runs with a known request are included, regardless of how they ended. If a run used
 * more than it requested, only the request is added, so that the excess does not hide the waste of other runs. */
#ifndef RTRACK_REPORT_HISTORY_WASTE_H
#define RTRACK_REPORT_HISTORY_WASTE_H

#include "report/history/uses.h"

enum waste_kind { WASTE_MEMORY, WASTE_CPU, WASTE_GPU, WASTE_KINDS };

struct waste_sum {
	size_t runs;  /* number of runs whose request of this resource is known */
	double asked; /* sum of the requests, in GiB-hours, CPU-hours or GPU-hours */
	double used;
	double asked_most; /* largest request of any run: MiB, CPUs or GPUs */
	double used_most;  /* largest usage of any run: peak memory, mean CPU usage or number of GPUs */
};

struct waste {
	size_t runs;  /* number of runs for which at least one request is known */
	double hours; /* total duration of those runs */
	struct waste_sum of[WASTE_KINDS];
};

/* Adds a run to `waste`, which must be initialized with zeros. */
void waste_add(struct waste *waste, const struct use *use);

/* Adds the sums in `waste` to `all`. */
void waste_join(struct waste *all, const struct waste *waste);

static inline double waste_between(const struct waste *waste, enum waste_kind kind)
{
	return waste->of[kind].asked - waste->of[kind].used;
}

#endif
