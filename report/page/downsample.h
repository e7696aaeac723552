/* SPDX-License-Identifier: Apache-2.0 */
/* Series made small enough for a page: a common time axis of a bounded number of points, and lines on it.
 *
 * Up to THIN_ROWS rows are kept as they are. Longer runs are cut into THIN_BUCKETS equal buckets of time, a point each.
 * Each bucket keeps the mean over time, the least and the greatest figure of every line. So no peak and no dip is lost,
 * a line does not zigzag between them, and the time of a point is off by less than half a bucket.
 *
 * A tick may take only milliseconds, while some clocks of the kernel count in steps of 10 ms, so that its rate may be 0
 * or far too high. Where rows are kept, ticks shorter than the tolerance therefore share the mean of them and their
 * neighbours. The last row has the value that its source gives it. */
#ifndef RTRACK_REPORT_PAGE_DOWNSAMPLE_H
#define RTRACK_REPORT_PAGE_DOWNSAMPLE_H

#include "core/base.h"

enum { THIN_ROWS = 2000, THIN_BUCKETS = 1000 };

/* A column over time. `times` ascend and all are known. */
struct thin_source {
	const double *times; /* seconds since the start of the run */
	const double *values;
	size_t rows;
	double rate;   /* 0 if the line is the values; else it is rate × value ÷ time since the previous row */
	double before; /* the time before the first row */
	bool averaged; /* a row is an average since the row before, not a figure at its own time */
	double last;   /* if averaged, the value drawn for the last row, whose tick may be shorter than an interval */
};

struct thin_axis {
	double *times; /* of the points; owned */
	size_t points;
	size_t rows;  /* of the longer source */
	double width; /* of a bucket in seconds, or 0 if nothing was thinned */
};

/* Makes the axis for two series, either of which may have no rows. Rows at most `tolerance` seconds apart share a
 * point.
 */
void thin_axis_make(struct thin_axis *axis, const struct thin_source *a, const struct thin_source *b, double tolerance);
void thin_axis_free(struct thin_axis *axis);

/* A line on an axis, in arrays of axis->points; UNKNOWN where no figure is known. */
struct thin_line {
	double *mean;             /* the figure itself if nothing was thinned */
	double *least, *greatest; /* filled only if the axis has a width */
};

void thin_line(
	const struct thin_axis *axis, const struct thin_source *source, double tolerance, const struct thin_line *line);

/* Figures of all rows, thinned out or not; UNKNOWN if none is known. */
struct thin_summary {
	double mean; /* over time: each figure is weighted by the time since the row before */
	double peak;
	double total; /* of the values, not of rates */
};
struct thin_summary thin_summarize(const struct thin_source *source);

#endif
