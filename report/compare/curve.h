/* SPDX-License-Identifier: Apache-2.0 */
/* A figure of one side over time or phase by phase, with the range of its earlier runs. The page draws the curves of
 * both sides in one chart. */
#ifndef RTRACK_REPORT_COMPARE_CURVE_H
#define RTRACK_REPORT_COMPARE_CURVE_H

#include "report/compare/pairs.h"
#include "report/compare/side.h"

enum { CURVE_PARTS = 120 };

struct curve {
	double run[CURVE_PARTS];                          /* mean of each interval; UNKNOWN after the run's end */
	double least[CURVE_PARTS], greatest[CURVE_PARTS]; /* range over all runs of the side */
	double peak;                                      /* maximum of all arrays, or UNKNOWN if not measured */
	size_t left_out;                                  /* number of earlier runs with different phases */
};

/* Computes the curve of a column of process.csv on the axis of `course`. Unreadable runs are skipped. */
void curve_make(struct curve *curve, const struct side *side, int column, const struct course *course);

#endif
