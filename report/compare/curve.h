/* SPDX-License-Identifier: Apache-2.0 */
/* Computes the curve of a figure for one side of a comparison, over time or phase by phase, and the range of the side's
 * runs. The page draws the curves of both sides in one chart. */
#ifndef RTRACK_REPORT_COMPARE_CURVE_H
#define RTRACK_REPORT_COMPARE_CURVE_H

#include "report/compare/pairs.h"
#include "report/compare/side.h"

enum { CURVE_PARTS = 120 };

struct curve {
	double run[CURVE_PARTS];                          /* mean of each interval; UNKNOWN after the run's end */
	double least[CURVE_PARTS], greatest[CURVE_PARTS]; /* minimum and maximum of all runs of the side */
	double peak;     /* maximum of the three arrays, or UNKNOWN if the figure was not measured */
	size_t left_out; /* number of earlier runs that were left out because they have different phases */
};

/* Computes the curve of a column of process.csv, on the time axis in `course`. Runs that cannot be read are skipped. */
void curve_make(struct curve *curve, const struct side *side, int column, const struct course *course);

#endif
