/* How a figure of a side went over the time since the start, and how its earlier runs did: two of these are drawn over
 * each other. */
#ifndef RTRACK_REPORT_COMPARE_CURVE_H
#define RTRACK_REPORT_COMPARE_CURVE_H

#include "report/compare/side.h"

enum { CURVE_PARTS = 120 };

struct curve {
	double run[CURVE_PARTS];                          /* means of the parts; UNKNOWN after its end */
	double least[CURVE_PARTS], greatest[CURVE_PARTS]; /* of all runs of the side */
	double peak;                                      /* of all of these; UNKNOWN: nobody measured it */
};

/* Fills the curve of a column of process.csv, `seconds` long. What cannot be read is left out. */
void curve_make(struct curve *curve, const struct side *side, int column, double seconds);

#endif
