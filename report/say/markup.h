/* SPDX-License-Identifier: Apache-2.0 */
/* Texts of a job inside a page: escaped for HTML and for JSON within a <script> element.
 *
 * A text of a job is shown and can do nothing else: what a terminal would obey and bytes that are not UTF-8 are written
 * as a terminal shows them, \n or \xNN (report/say/utf8.h). Errors of the stream are left to ferror(). */
#ifndef RTRACK_REPORT_SAY_MARKUP_H
#define RTRACK_REPORT_SAY_MARKUP_H

#include "core/base.h"

#include <stdio.h>

/* Writes a text for an element or a quoted attribute. */
void markup_write_text(FILE *out, struct text text);

/* The same for a <pre>, with lines that end as the text's do. */
void markup_write_lines(FILE *out, struct text text);

/* Writes a JSON string, quotes included; '<' is \u003c, so that no element can end within it. */
void markup_write_json(FILE *out, struct text text);

/* A power of ten that keeps `digits` more digits of `peak` than its first. */
double markup_step(double peak, int digits);

/* The nearest whole number, of magnitudes beyond 2^51 that one, so that what pages do with the differences of two stays
 * exact in a double: a damaged cell may hold any figure. What is no number is the least. */
long long markup_whole(double value);

/* Writes a whole number in as few characters as it needs: the sign in the lowest bit, then five bits a character, the
 * least first, A for 0; all characters but the last have the sixth bit. 0 is A, -1 B, 1 C, 16 gB. */
void markup_write_number(FILE *out, long long number);

/* Writes "…": the differences of the points from `origin` on, in units of the step, as such numbers; a '.' for an
 * unknown point; '~' and a number n for the number or the '.' before it, n times more. */
void markup_write_points(FILE *out, const double *points, size_t count, double origin, double step);

/* printf for markup. %-s is a text of a job, which is escaped; all else is trusted markup. The other conversions are
 * %s, %c, %d, %zu, %f and %g; a width or precision is part of the format, not an argument. */
void markup_write(FILE *out, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* The name by which a heading is linked to in the documents: its letters and digits in small, "-" for a space. */
void markup_anchor(char *anchor, size_t size, const char *heading);

#endif
