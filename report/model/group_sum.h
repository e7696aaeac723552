/* SPDX-License-Identifier: Apache-2.0 */
/* Sums process.csv over runs, or system.csv over machines, tick by tick.
 *
 * Each tick ends at a multiple of the interval on the wall clock, so the ticks of several machines coincide if their
 * clocks agree. If the sampler missed ticks, the next row covers them too; the first row of a run covers all
 * ticks since the run began. The gauges of a row apply to each tick that it covers, and its counters and CPU usage are
 * divided among the ticks in proportion to time. */
#ifndef RTRACK_REPORT_MODEL_GROUP_SUM_H
#define RTRACK_REPORT_MODEL_GROUP_SUM_H

#include "report/spool/series.h"

#include <stdbool.h>

struct sum {
	double interval;
	double first;         /* end of the first tick, in units of ticks */
	double start, stop;   /* time range of the sum, in units of ticks */
	struct series series; /* one row per tick: `timestamp` and the requested columns */
	bool *there;          /* for each row, true if any run was alive */
	struct sum_end {
		size_t row;                /* row to which the last input row was added, or SIZE_MAX */
		double time;               /* timestamp of the last input row */
		double given[COLUMNS_MAX]; /* for each column, the amount that the last input row added */
	} end;
};

/* Creates empty rows from `start` to `stop` for the gauges and counters in the mask `columns`. For shares of time,
 * such as pressure, the maximum is kept instead of the sum. Returns 0, or -1 with errno E2BIG if there would be too
 * many ticks. */
int sum_begin(struct sum *sum, enum table_id table, double start, double stop, double interval, uint64_t columns);

/* Adds the rows of a run that lasted from `start` to `stop`. If the run began after all earlier runs had ended, it
 * may share a tick with the last of them. In this tick, only the larger gauge is kept, because the two runs were
 * never alive together. */
void sum_add(struct sum *sum, const struct series *rows, double start, double stop);

/* Sets ticks without any run to 0, except in columns that are unknown in all ticks. */
void sum_fill_gaps(struct sum *sum);

/* Limits each value of a column to `most`. Otherwise, runs that follow each other within one tick might add up to
 * more than was used at any moment. */
void sum_cap(struct sum *sum, int column, double most);

void sum_free(struct sum *sum);

#endif
