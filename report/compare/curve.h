/* SPDX-License-Identifier: Apache-2.0 */
/* How a figure of a side went over the time since the start, or phase by phase, and how its earlier runs did: two of
 * these are drawn over each other. */
#ifndef RTRACK_REPORT_COMPARE_CURVE_H
#define RTRACK_REPORT_COMPARE_CURVE_H

#include "report/compare/pairs.h"
#include "report/compare/side.h"

enum { CURVE_PARTS = 120 };

struct curve {
	double run[CURVE_PARTS];                          /* means of the parts; UNKNOWN after its end */
	double least[CURVE_PARTS], greatest[CURVE_PARTS]; /* of all runs of the side */
	double peak;                                      /* of all of these; UNKNOWN: it was not measured */
	size_t left_out;                                  /* earlier runs with other phases */
};

/* Fills the curve of a column of process.csv on the axis that `course` says. What cannot be read is left out. */
void curve_make(struct curve *curve, const struct side *side, int column, const struct course *course);

#endif
