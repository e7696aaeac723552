/* SPDX-License-Identifier: Apache-2.0 */
/* Draws lines over time as SVG without JavaScript. */
#ifndef RTRACK_REPORT_PAGE_SPARK_H
#define RTRACK_REPORT_PAGE_SPARK_H

#include "report/page/downsample.h"
#include "report/say/units.h"

#include <stdio.h>

/* Begins an <svg> with a scale from 0 to `greatest`; `title` is trusted markup. */
void spark_begin(FILE *out, const char *title);

/* Draws the maxima of equal intervals of the `seconds` from `start`. `color` is a class of page.css. */
void spark_line(FILE *out, const struct thin_axis *axis, const double *points, double start, double seconds,
	double greatest, const char *color);
void spark_end(FILE *out);

/* Writes the axes around a picture with a scale from 0 to `greatest` over `seconds`. Labels are outside the picture,
 * because it is stretched to the available width. */
void spark_begin_axes(FILE *out, enum unit unit, double greatest);
void spark_end_axes(FILE *out, double seconds);

#endif
