/* SPDX-License-Identifier: Apache-2.0 */
/* Finds lasting changes in the level of a few series, using all of them together.
 *
 * Optimal partitioning (Jackson et al., "An algorithm for optimal partitioning of data on an interval", 2005; PELT of
 * Killick, Fearnhead and Eckley, 2012, is a faster variant for longer series) with the cost of a change in the
 * mean of Gaussian figures and the penalty of Schwarz's criterion (Yao, 1988). Slow fluctuations would count as many
 * changes. Therefore a change must also be clear in one of the series, and the least clear one is removed first:
 *   - the levels on both sides differ by a quarter of the series' highest level, and by its `least`;
 *   - they differ by three times the standard deviation of the figures on either side;
 *   - a step fits the values of both sides better than a straight line does, which excludes ramps. */
#ifndef RTRACK_REPORT_MODEL_SEGMENTS_H
#define RTRACK_REPORT_MODEL_SEGMENTS_H

#include <stddef.h>

enum {
	SEGMENTS_MAX = 5,      /* a series with more segments has no phases */
	SEGMENT_LEAST = 5,     /* shortest segment, in values */
	SEGMENT_FRACTION = 20, /* a segment also has at least 1/20 of all values; anything shorter is a spike */
	SEGMENTS_SERIES_MAX = 4,
	SEGMENTS_FIGURES_MAX = 1000 /* values per series; time grows with the square, up to a few milliseconds */
};

struct level {
	const double *values; /* evenly spaced; UNKNOWN repeats the value before it */
	double least;         /* smaller differences are ignored */
};

/* Stores in ends[] the end position of each segment, the last one being `count`. Returns the number of segments: 1 if
 * there is no clear change or there would be more than SEGMENTS_MAX, 0 for an empty series. */
size_t segments_find(const struct level *levels, size_t series, size_t count, size_t ends[SEGMENTS_MAX]);

#endif
