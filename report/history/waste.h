/* SPDX-License-Identifier: Apache-2.0 */
/* What was asked for and what was used of it, summed over runs: GiB-hours of memory, hours of CPUs and of GPUs.
 *
 * Memory is reserved for a whole run, so what a run used of it is its peak for as long as it took; of CPUs it is the
 * CPU time. Only runs of which it is known what was asked for count, of each kind by itself, whatever way they ended.
 * What a run had beyond what it asked for is nothing that another one wasted: it counts up to what was asked for. */
#ifndef RTRACK_REPORT_HISTORY_WASTE_H
#define RTRACK_REPORT_HISTORY_WASTE_H

#include "report/history/uses.h"

enum waste_kind { WASTE_MEMORY, WASTE_CPU, WASTE_GPU, WASTE_KINDS };

struct waste_sum {
	size_t runs;  /* of which it is known */
	double asked; /* GiB-hours of memory, else hours */
	double used;
	double asked_most; /* the largest of the runs: MiB, CPUs, GPUs */
	double used_most;  /* the largest peak, mean CPU usage, or number of GPUs, of all runs */
};

struct waste {
	size_t runs;  /* of which anything is known to have been asked for */
	double hours; /* that those took */
	struct waste_sum of[WASTE_KINDS];
};

/* Zero at first. */
void waste_add(struct waste *waste, const struct use *use);

/* Adds that of other runs. */
void waste_join(struct waste *all, const struct waste *waste);

static inline double waste_between(const struct waste *waste, enum waste_kind kind)
{
	return waste->of[kind].asked - waste->of[kind].used;
}

#endif
