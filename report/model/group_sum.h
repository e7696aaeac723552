/* SPDX-License-Identifier: Apache-2.0 */
/* The sum of process.csv over runs, or of system.csv over machines, tick by tick.
 *
 * Ticks are multiples of the interval on the wall clock, so those of several machines are the same moments as far as
 * their clocks agree. A late tick is one longer row: its gauges stand for each tick of it, its counters and the CPUs
 * that it used are spread over them by the time that it has of each. The last tick ends with the last run. */
#ifndef RTRACK_REPORT_MODEL_GROUP_SUM_H
#define RTRACK_REPORT_MODEL_GROUP_SUM_H

#include "report/spool/series.h"

#include <stdbool.h>

struct sum {
	double interval;
	double first;         /* number of the first tick */
	double start, stop;   /* in ticks */
	struct series series; /* a row a tick; only columns that were asked for, and `timestamp` */
	bool *there;          /* by row: whether some run was */
	struct sum_end {
		size_t row;                /* in which the last rows were; SIZE_MAX: none */
		double time;               /* of the last of them */
		double given[COLUMNS_MAX]; /* what they gave it */
	} end;
};

/* Makes the rows from time `start` to `stop`, empty, with those columns of the mask that can be added: no keys, no
 * texts. Of shares of time (pressure) the largest of all counts. Returns 0, or -1 with errno E2BIG when these are too
 * many ticks for any memory. */
int sum_begin(struct sum *sum, enum table_id table, double start, double stop, double interval, uint64_t columns);

/* Adds the table of a run that was there from `start` to `stop`. One that began after all that were added before it
 * goes on where the last of them ended: in a tick that they share it has the larger of their gauges, since they were
 * never there together. */
void sum_add(struct sum *sum, const struct series *rows, double start, double stop);

/* In the ticks in which no run was there they used nothing, of all that any of them is known to have used. */
void sum_fill_gaps(struct sum *sum);

/* No row of the column has more than `most`: what two runs had one after the other within a tick was there at no
 * moment. */
void sum_cap(struct sum *sum, int column, double most);

void sum_free(struct sum *sum);

#endif
