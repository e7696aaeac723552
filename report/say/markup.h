/* SPDX-License-Identifier: Apache-2.0 */
/* Writes untrusted text into a page, escaped either for HTML or for JSON within a <script> element.
 *
 * The text of a job can be displayed, but it can never become markup or a script. Terminal control characters and
 * invalid UTF-8 are written as \n or \xNN, as on a terminal (report/say/utf8.h). These functions do not report write
 * errors, so callers must check ferror(). */
#ifndef RTRACK_REPORT_SAY_MARKUP_H
#define RTRACK_REPORT_SAY_MARKUP_H

#include "core/base.h"

#include <stdio.h>

/* Writes a text that is inside an element or a quoted attribute. */
void markup_write_text(FILE *out, struct text text);

/* Writes a text that is inside a <pre> element, and keeps its newlines. */
void markup_write_lines(FILE *out, struct text text);

/* Writes a JSON string in quotes. Writes '<' as \u003c, so that the string cannot end the <script> element. */
void markup_write_json(FILE *out, struct text text);

/* Returns the unit of the last digit if `peak` is written with `digits` digits after the first. The unit is a power of
 * ten. */
double markup_step(double peak, int digits);

/* Returns the nearest integer between -2^51 and 2^51. JavaScript computes the difference of two such integers exactly.
 * Larger values occur only in damaged cells. NaN yields the minimum. */
long long markup_whole(double value);

/* Writes an integer in as few base64 characters as possible. The lowest bit is the sign. Each character has five bits,
 * lowest bits first, and a sixth bit that is set in all characters except the last. For example, 0 is A, -1 is B, 1 is
 * C and 16 is gB. */
void markup_write_number(FILE *out, long long number);

/* Writes points as a string in quotes. Each point is written as its difference from the previous point (from `origin`
 * for the first), in units of `step`. An unknown point is written as '.'. If a difference or '.' repeats, it is written
 * once, and '~' and the number of further repetitions follow it. */
void markup_write_points(FILE *out, const double *points, size_t count, double origin, double step);

/* Like printf, for markup. The argument of %-s is untrusted text and is escaped. The format and all other arguments are
 * trusted. Also supports %s, %c, %d, %zu, %f and %g. Width and precision must be in the format, not in an argument. */
void markup_write(FILE *out, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Stores the anchor of a heading in the documentation, for a link to it. It consists of lower-case letters, digits and
 * "-" for spaces. */
void markup_anchor(char *anchor, size_t size, const char *heading);

#endif
