/* Where the level of a few series changes for good, found in all of them together.
 *
 * Optimal partitioning (Jackson et al., "An algorithm for optimal partitioning of data on an interval", 2005; what PELT
 * of Killick, Fearnhead and Eckley, 2012, makes quicker for series longer than these) with the cost of a change in the
 * mean of Gaussian figures and the penalty of Schwarz's criterion (Yao, 1988). It takes what wobbles slowly for many
 * changes; therefore a change stays only while it is clear, and the least clear one goes first:
 *   - the levels on both sides differ by a quarter of the series' highest level, and by its `least`;
 *   - by three times what the figures vary on either side (standard deviation);
 *   - and a step fits the figures of both sides better than a straight line does: a ramp is no step. */
#ifndef RTRACK_REPORT_FIGURES_SEGMENTS_H
#define RTRACK_REPORT_FIGURES_SEGMENTS_H

#include <stddef.h>

enum {
	SEGMENTS_MAX = 5,      /* what changes more often has no phases */
	SEGMENT_LEAST = 5,     /* figures */
	SEGMENT_FRACTION = 20, /* and at least one in so many of all: what is shorter is a spike */
	SEGMENTS_SERIES_MAX = 4,
	SEGMENTS_FIGURES_MAX = 1000 /* of a series: the time goes by its square, a few milliseconds */
};

struct level {
	const double *values; /* evenly spaced; UNKNOWN: as the one before */
	double least;         /* differences below this are none */
};

/* Fills ends[] with the position behind each segment, the last one being `count`. Returns how many there are: 1 where
 * no change is clear, or more than SEGMENTS_MAX would be; 0 for an empty series, or when there is no memory (errno). */
size_t segments_find(const struct level *levels, size_t series, size_t count, size_t ends[SEGMENTS_MAX]);

#endif
