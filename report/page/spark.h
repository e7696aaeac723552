/* SPDX-License-Identifier: Apache-2.0 */
/* Lines over time as a picture without a script. */
#ifndef RTRACK_REPORT_PAGE_SPARK_H
#define RTRACK_REPORT_PAGE_SPARK_H

#include "report/page/downsample.h"
#include "report/say/units.h"

#include <stdio.h>

/* Begins an <svg> with room for lines from 0 to `greatest`; `title` is trusted markup. */
void spark_begin(FILE *out, const char *title);

/* Draws the greatest figure of each part of the time from `start` on, for `seconds`. `color` is a class of page.css. */
void spark_line(FILE *out, const struct thin_axis *axis, const double *points, double start, double seconds,
	double greatest, const char *color);
void spark_end(FILE *out);

/* The axes of a picture of lines from 0 to `greatest` over `seconds`: figures at its side, times below. They are not
 * part of the picture, which is stretched to the available width. */
void spark_begin_axes(FILE *out, enum unit unit, double greatest);
void spark_end_axes(FILE *out, double seconds);

#endif
