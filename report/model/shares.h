/* SPDX-License-Identifier: Apache-2.0 */
/* What each program of a run used over time: the bands of a stacked chart.
 *
 * The rows of each tick in member.csv are summed by program. If a process has no row in a tick, it still holds the
 * memory of its last row. If its exit record has more CPU time than its rows, the difference is spread evenly from the
 * last row to the end of the process. The bands therefore agree with the bill.
 *
 * No process is alive at the last tick of a run. This tick shows the processes that ended since the tick before,
 * with memory between their last sample and their peak. Only the SHARES_MAX most important programs have a band; the
 * others share one. */
#ifndef RTRACK_REPORT_MODEL_SHARES_H
#define RTRACK_REPORT_MODEL_SHARES_H

#include "report/model/model.h"

enum { SHARES_MAX = 6 };

/* Times at which shares are wanted, in ascending order. `begins` has the beginning of the interval that ends at each
 * time. If an interval has several ticks, the share is their mean. */
struct share_times {
	const double *times;
	const double *begins;
	const double *ticks; /* for each time, the number of ticks in its interval; NULL if all have one tick */
	size_t count;
	/* maximum difference between the time of a tick and the wanted time that represents it */
	double tolerance;
};

struct shares {
	size_t count;                /* number of bands */
	size_t programs[SHARES_MAX]; /* for each band, the index of its program in model->programs */
	/* For each band, the CPUs from samples at each time of the argument `cpu` of shares_read. The last array is
	 * for all other programs. Owned. */
	double *cpu[SHARES_MAX + 1];
	double *spread[SHARES_MAX + 1]; /* like `cpu`, but CPU time that only exit records have; owned */
	/* MiB of each band at each time of the argument `memory` of shares_read; owned */
	double *memory[SHARES_MAX];
	/* MiB by which ended processes may have grown after their last sample; owned */
	double *grown[SHARES_MAX];
	bool any; /* false if no row of member.csv and no exit record has data */
};

/* Reads member.csv of the run, or of each run of a group. The model must have the section MODEL_PROGRAMS. */
void shares_read(struct shares *shares, const struct model *model, const struct share_times *cpu,
	const struct share_times *memory);
void shares_free(struct shares *shares);

#endif
