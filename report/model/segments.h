/* SPDX-License-Identifier: Apache-2.0 */
/* Where the level of a few series changes for good, found in all of them together.
 *
 * Optimal partitioning (Jackson et al., "An algorithm for optimal partitioning of data on an interval", 2005; PELT of
 * Killick, Fearnhead and Eckley, 2012, is the same made quicker for longer series) with the cost of a change in the
 * mean of Gaussian figures and the penalty of Schwarz's criterion (Yao, 1988). It takes a slow wobble for many changes.
 * Therefore a change must also be clear in one of the series, and the least clear one is removed first:
 *   - the levels on both sides differ by a quarter of the series' highest level, and by its `least`;
 *   - they differ by three times the standard deviation of the figures on either side;
 *   - and a step fits the figures of both sides better than a straight line does: a ramp is no step. */
#ifndef RTRACK_REPORT_MODEL_SEGMENTS_H
#define RTRACK_REPORT_MODEL_SEGMENTS_H

#include <stddef.h>

enum {
	SEGMENTS_MAX = 5,      /* a series that changes more often has no phases */
	SEGMENT_LEAST = 5,     /* figures */
	SEGMENT_FRACTION = 20, /* and at least one in this many of all figures; what is shorter is a spike */
	SEGMENTS_SERIES_MAX = 4,
	SEGMENTS_FIGURES_MAX = 1000 /* of a series; the time grows with its square, to a few milliseconds */
};

struct level {
	const double *values; /* evenly spaced; UNKNOWN counts as the one before */
	double least;         /* smaller differences do not count */
};

/* Fills ends[] with the position behind each segment, the last one being `count`. Returns how many there are: 1 where
 * no change is clear, or more than SEGMENTS_MAX would be; 0 for an empty series. */
size_t segments_find(const struct level *levels, size_t series, size_t count, size_t ends[SEGMENTS_MAX]);

#endif
