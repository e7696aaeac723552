/* SPDX-License-Identifier: Apache-2.0 */
/* Reduces series to a size that a page can hold: a common time axis with a bounded number of points, and lines on it.
 *
 * Up to THIN_ROWS rows are kept unchanged. Longer runs are divided into THIN_BUCKETS buckets of equal time, one point
 * each. A bucket keeps the time-weighted mean, the minimum and the maximum of every line. No peak or dip is lost, a
 * line does not zigzag between them, and the time of a point is off by less than half a bucket.
 *
 * A tick may take only milliseconds, while some kernel clocks count in steps of 10 ms, so its rate may be 0 or far too
 * high. Where rows are kept, ticks shorter than the tolerance therefore share a mean with their neighbours. The last
 * row has the value that its source supplies. */
#ifndef RTRACK_REPORT_PAGE_DOWNSAMPLE_H
#define RTRACK_REPORT_PAGE_DOWNSAMPLE_H

#include "core/base.h"

enum { THIN_ROWS = 2000, THIN_BUCKETS = 1000 };

/* A column over time. All `times` are known, and they are in ascending order. */
struct thin_source {
	const double *times; /* seconds since the start of the run */
	const double *values;
	size_t rows;
	double rate;   /* 0 to draw the values; otherwise rate × value ÷ time since the previous row is drawn */
	double before; /* start time of the first row's tick */
	bool averaged; /* true if a value is the average since the previous row, not the value at the row's time */
	double last;   /* if averaged, value drawn for the last row, because its tick may be short */
};

struct thin_axis {
	double *times; /* times of the points; owned */
	size_t points;
	size_t rows;  /* number of rows of the longer source */
	double width; /* seconds per bucket, or 0 if nothing was thinned */
};

/* Makes the time axis for two series, each of which may be empty. Rows at most `tolerance` seconds apart become one
 * point. */
void thin_axis_make(struct thin_axis *axis, const struct thin_source *a, const struct thin_source *b, double tolerance);
void thin_axis_free(struct thin_axis *axis);

/* A line on an axis. Each array has axis->points values, and unknown values are UNKNOWN. */
struct thin_line {
	double *mean;             /* mean of each bucket, or the values themselves if nothing was thinned */
	double *least, *greatest; /* minimum and maximum of each bucket, or NULL if nothing was thinned */
};

void thin_line(
	const struct thin_axis *axis, const struct thin_source *source, double tolerance, const struct thin_line *line);

/* Figures of all rows, whether or not they were thinned. A figure is UNKNOWN if no value is known. */
struct thin_summary {
	double mean; /* mean of the values, weighted by the time since the previous row */
	double peak;
	double total; /* sum of the values; meaningless for rates */
};
struct thin_summary thin_summarize(const struct thin_source *source);

#endif
