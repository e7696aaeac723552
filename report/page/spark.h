/* SPDX-License-Identifier: Apache-2.0 */
/* Draws lines over time as SVG without JavaScript. */
#ifndef RTRACK_REPORT_PAGE_SPARK_H
#define RTRACK_REPORT_PAGE_SPARK_H

#include "report/page/downsample.h"
#include "report/say/units.h"

#include <stdio.h>

/* Begins an <svg>. `title` is trusted markup. */
void spark_begin(FILE *out, const char *title);

/* Divides the `seconds` after `start` into equal intervals, and draws the maximum of each interval. `color` is a class
 * of page.css. */
void spark_line(FILE *out, const struct thin_axis *axis, const double *points, double start, double seconds,
	double greatest, const char *color);
void spark_end(FILE *out);

/* Draws a horizontal line at a value. */
void spark_level(FILE *out, double value, double greatest);

/* Writes the axes around a picture. Their scale goes from 0 to `greatest`. The labels are outside the picture, because
 * the picture is stretched to the available width. */
void spark_begin_axes(FILE *out, enum unit unit, double greatest);
void spark_end_axes(FILE *out, double seconds);

#endif
