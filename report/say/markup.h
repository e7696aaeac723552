/* SPDX-License-Identifier: Apache-2.0 */
/* Writes untrusted text into a page: escaped for HTML, and for JSON within a <script> element.
 *
 * A job's text is only displayed and cannot act. Terminal control characters and invalid UTF-8 are written as \n or
 * \xNN, as on a terminal (report/say/utf8.h). Callers check ferror() for errors of the stream. */
#ifndef RTRACK_REPORT_SAY_MARKUP_H
#define RTRACK_REPORT_SAY_MARKUP_H

#include "core/base.h"

#include <stdio.h>

/* Writes a text for an element or a quoted attribute. */
void markup_write_text(FILE *out, struct text text);

/* Writes a text for a <pre>, keeping its newlines. */
void markup_write_lines(FILE *out, struct text text);

/* Writes a quoted JSON string. '<' becomes \u003c, so that no element can end within it. */
void markup_write_json(FILE *out, struct text text);

/* The power of ten that resolves `peak` to `digits` digits after its first one. */
double markup_step(double peak, int digits);

/* The nearest integer, limited to ±2^51 so that JavaScript computes differences of two exactly; a damaged cell may hold
 * any value. NaN yields the minimum. */
long long markup_whole(double value);

/* Writes an integer in as few characters as possible: the sign in the lowest bit, then five bits per character, lowest
 * bits first, with A for 0. All characters but the last have the sixth bit set. 0 is A, -1 is B, 1 is C, 16 is gB. */
void markup_write_number(FILE *out, long long number);

/* Writes the points as a quoted string: differences from the previous point, starting at `origin`, in units of `step`.
 * '.' is an unknown point. '~' and a number n repeat the preceding number or '.' n times. */
void markup_write_points(FILE *out, const double *points, size_t count, double origin, double step);

/* printf for markup. %-s escapes untrusted text; everything else is trusted markup. Also supported are %s, %c, %d, %zu,
 * %f and %g, with width or precision only in the format. */
void markup_write(FILE *out, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* The link anchor of a heading in the documentation: lower-case letters and digits, with "-" for spaces. */
void markup_anchor(char *anchor, size_t size, const char *heading);

#endif
