/* Texts of a job inside a page: escaped for HTML and for JSON within a <script> element.
 *
 * Whatever a job calls itself is a name and nothing else. Bytes that are not UTF-8, control
 * characters, and those that turn the direction of writing become U+FFFD. Errors of the stream are left to ferror(). */
#ifndef RTRACK_REPORT_MARKUP_TEXT_H
#define RTRACK_REPORT_MARKUP_TEXT_H

#include "core/base.h"

#include <stdio.h>

/* As the text of an element or inside a quoted attribute. */
void markup_write_text(FILE *out, struct text text);

/* As a JSON string, quotes included, in which '<' is \u003c, so that no element can end within it. */
void markup_write_json(FILE *out, struct text text);

/* A power of ten that keeps `digits` more digits of `peak` than its first. */
double markup_step(double peak, int digits);

/* A whole number in as few characters as it needs, the sign first: five bits a character, the least first, A for 0; all
 * but the last have the sixth bit. 0 is A, -1 B, 1 C, 16 gB. */
void markup_write_number(FILE *out, long long number);

/* "step":S,"d":"…": differences in units of the step as such numbers, from `origin` on; a point where nothing is known.
 */
void markup_write_points(FILE *out, const double *points, size_t count, double origin, double step);

/* printf for our own markup; nothing is escaped, so no text of a job may pass through it. */
void markup_write(FILE *out, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
