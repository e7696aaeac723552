/* SPDX-License-Identifier: Apache-2.0 */
/* Sums process.csv over runs, or system.csv over machines, tick by tick.
 *
 * Ticks are multiples of the interval on the wall clock, so ticks of several machines coincide as far as their clocks
 * agree. If the sampler missed ticks, the next row covers all of them. Its gauges then apply to each of these ticks,
 * and its counters and CPU usage are divided among them by time. */
#ifndef RTRACK_REPORT_MODEL_GROUP_SUM_H
#define RTRACK_REPORT_MODEL_GROUP_SUM_H

#include "report/spool/series.h"

#include <stdbool.h>

struct sum {
	double interval;
	double first;         /* number of the first tick */
	double start, stop;   /* limits of the sum, in ticks */
	struct series series; /* one row per tick: `timestamp` and the requested columns */
	bool *there;          /* for each row, whether any run was alive */
	struct sum_end {
		size_t row;                /* row that the last input rows fell into, or SIZE_MAX */
		double time;               /* timestamp of the last input row */
		double given[COLUMNS_MAX]; /* amounts that this input row added */
	} end;
};

/* Creates empty rows from `start` to `stop`, with those columns of the mask that are numeric and not keys. Shares of
 * time (pressure) are combined by maximum instead of sum. Returns 0, or -1 with errno E2BIG if there are too many
 * ticks. */
int sum_begin(struct sum *sum, enum table_id table, double start, double stop, double interval, uint64_t columns);

/* Adds the rows of a run that lasted from `start` to `stop`. A run that began after all runs added so far continues
 * where they ended: in a shared tick the larger gauge counts, because the two never coexisted. */
void sum_add(struct sum *sum, const struct series *rows, double start, double stop);

/* Writes 0 for ticks without any run, in each column that has a known value elsewhere. */
void sum_fill_gaps(struct sum *sum);

/* Limits each value of a column to `most`: consecutive runs within one tick may otherwise add up to more than existed
 * at any moment. */
void sum_cap(struct sum *sum, int column, double most);

void sum_free(struct sum *sum);

#endif
