/* SPDX-License-Identifier: Apache-2.0 */
/* Compares a run with earlier runs of its job, in the figures of `compare`. */
#ifndef RTRACK_REPORT_COMPARE_PAST_H
#define RTRACK_REPORT_COMPARE_PAST_H

#include "report/compare/side.h"
#include "report/model/totals.h"
#include "report/history/history.h"

enum { PAST_HABIT = 3 }; /* with fewer earlier runs, no figure is called unusual */

struct past {
	size_t count;                                    /* number of runs, at least 1 for the run itself */
	double figures[HISTORY_RUNS + 1][MEASURE_COUNT]; /* oldest first, the run itself last */
};

void past_make(
	struct past *past, const struct totals *totals, const struct stats *stats, const struct history *history);

/* The figure of the run itself. */
double past_now(const struct past *past, enum measure_id measure);

/* The median of the earlier runs, which a single outlier does not change, or UNKNOWN. *runs is the number of runs that
 * have the figure. */
double past_median(const struct past *past, enum measure_id measure, size_t *runs);

#endif
