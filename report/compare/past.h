/* SPDX-License-Identifier: Apache-2.0 */
/* A run beside the earlier runs of its job, in the figures that `compare` knows. */
#ifndef RTRACK_REPORT_COMPARE_PAST_H
#define RTRACK_REPORT_COMPARE_PAST_H

#include "report/compare/side.h"
#include "report/model/totals.h"
#include "report/history/history.h"

enum { PAST_HABIT = 3 }; /* of fewer runs nothing is called unusual */

struct past {
	size_t count;                                    /* at least 1: the run itself */
	double figures[HISTORY_RUNS + 1][MEASURE_COUNT]; /* the oldest first, the run itself last */
};

void past_make(
	struct past *past, const struct totals *totals, const struct stats *stats, const struct history *history);

/* The figure of the run itself. */
double past_now(const struct past *past, enum measure_id measure);

/* The median of the earlier runs, which one odd run does not move; UNKNOWN when none has the figure. *runs is how many
 * have it. */
double past_median(const struct past *past, enum measure_id measure, size_t *runs);

#endif
