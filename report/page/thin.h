/* Series made small enough for a page: a common time axis of a bounded number of points, and lines on it.
 *
 * Up to THIN_ROWS rows are kept as they are. Longer runs are cut into THIN_BUCKETS equal buckets of time, a point each.
 * Each bucket keeps the mean over time, the least and the greatest figure of every line. So no peak and no dip is lost,
 * a line does not zigzag between them, and the time of a point is off by less than half a bucket.
 *
 * A tick may be of milliseconds, in which the clocks of a machine that count in 10 ms make nothing of much and much of
 * nothing. Where rows are kept, what lasted less than the tolerance is therefore drawn as one with its neighbours: each
 * of them has their mean over time. The last row is what its source says of it. */
#ifndef RTRACK_REPORT_PAGE_THIN_H
#define RTRACK_REPORT_PAGE_THIN_H

#include "core/base.h"

enum { THIN_ROWS = 2000, THIN_BUCKETS = 1000 };

/* A column over time. `times` ascend and all are known. */
struct thin_source {
	const double *times; /* seconds since the start of the run */
	const double *values;
	size_t rows;
	double rate;   /* 0: the line is the values; else rate × value ÷ time since the previous row */
	double before; /* the time before the first row */
	bool averaged; /* a row says what was over the time since the one before, not at its own time */
	double last;   /* of those: what the last row is drawn as; its own tick may be a part of an interval */
};

struct thin_axis {
	double *times; /* of the points; owned */
	size_t points;
	size_t rows;  /* how many there were in the longer source */
	double width; /* of a bucket in seconds; 0 when nothing was thinned */
};

/* The axis for two series (either may have no rows). Rows of both are paired when they are not more than `tolerance`
 * seconds apart. Returns 0, or -1 with errno. */
int thin_axis_make(struct thin_axis *axis, const struct thin_source *a, const struct thin_source *b, double tolerance);
void thin_axis_free(struct thin_axis *axis);

/* A line on an axis, in arrays of axis->points; UNKNOWN where no figure is known. */
struct thin_line {
	double *mean;             /* the figure itself where nothing was thinned */
	double *least, *greatest; /* filled only where the axis has a width */
};

void thin_line(
	const struct thin_axis *axis, const struct thin_source *source, double tolerance, const struct thin_line *line);

/* Figures of all rows, also of those thinned out; UNKNOWN when none is known. */
struct thin_summary {
	double mean; /* over time: a figure counts for the time since the row before */
	double peak;
	double total; /* of the values, before any rate is made of them */
};
struct thin_summary thin_summarize(const struct thin_source *source);

#endif
