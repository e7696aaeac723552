/* SPDX-License-Identifier: Apache-2.0 */
/* What each program of a run used over time: the bands of a stacked chart.
 *
 * The rows of each tick of member.csv are summed by program. A process without a row in a tick still holds the memory
 * of its last row until it ends. CPU time in its exit record that no row has is spread evenly from the last row to its
 * end; for a process too short-lived to be sampled, over its whole life. The bands therefore agree with the bill. When
 * a run has ended, no process is alive at its last tick or ticks. Those rows show the processes that ended since the
 * row before, with memory between their last sample and their peak. Only the most important programs have a band; the
 * others share one. */
#ifndef RTRACK_REPORT_MODEL_SHARES_H
#define RTRACK_REPORT_MODEL_SHARES_H

#include "report/model/model.h"

enum { SHARES_MAX = 6 };

/* Ascending times at which shares are needed, and the beginning of each interval, which is one tick or several ticks to
 * be averaged. */
struct share_times {
	const double *times;
	const double *begins;
	const double *ticks; /* number of ticks that each time represents; NULL means one */
	size_t count;
	double tolerance; /* largest distance between a tick and the time that represents it */
};

struct shares {
	size_t count;                /* number of bands */
	size_t programs[SHARES_MAX]; /* indices into the rows by program */
	/* CPUs from samples, indexed like `cpu` of shares_read; the last element is all other programs; owned */
	double *cpu[SHARES_MAX + 1];
	double *spread[SHARES_MAX + 1]; /* CPUs from exit records beyond the samples; owned */
	double *memory[SHARES_MAX];     /* MiB, indexed like `memory` of shares_read; owned */
	double *grown[SHARES_MAX];      /* MiB, upper bound of growth after the last sample of ended processes; owned */
	bool any;                       /* at least one row of member.csv or exit record has data */
};

/* Reads member.csv of the run, or of each of several runs. The model must have MODEL_PROGRAMS. */
void shares_read(struct shares *shares, const struct model *model, const struct share_times *cpu,
	const struct share_times *memory);
void shares_free(struct shares *shares);

#endif
