/* The sum of process.csv over runs, tick by tick.
 *
 * Ticks are multiples of the interval on the wall clock, so those of several machines are the same moments as far as
 * their clocks agree. A late tick is one longer row: its gauges stand for each tick of it, its counters are spread over
 * them. */
#ifndef RTRACK_REPORT_GROUP_SUM_H
#define RTRACK_REPORT_GROUP_SUM_H

#include "report/spool/series.h"

struct sum {
	double interval;
	double first;         /* number of the first tick */
	struct series series; /* a row a tick; only columns that were asked for, and `timestamp` */
};

/* Makes the rows from time `start` to `stop`, empty, with the columns of the mask. Returns 0, or -1 with errno: E2BIG,
 * when these are too many ticks for any memory, or ENOMEM. */
int sum_begin(struct sum *sum, double start, double stop, double interval, uint64_t columns);

/* Adds a run's process.csv, which began at `start`. */
void sum_add(struct sum *sum, const struct series *process, double start);

void sum_free(struct sum *sum);

#endif
