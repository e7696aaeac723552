/* Texts of a job inside a page: escaped for HTML and for JSON within a <script> element.
 *
 * Whatever a job calls itself is a name and nothing else. Bytes that are not UTF-8, and control
 * characters, become U+FFFD. Errors of the stream are left to ferror(). */
#ifndef RTRACK_REPORT_HTML_TEXT_H
#define RTRACK_REPORT_HTML_TEXT_H

#include "core/base.h"

#include <stdio.h>

/* As the text of an element or inside a quoted attribute. */
void html_write_text(FILE *out, struct text text);

/* As a JSON string, quotes included, in which '<' is \u003c, so that no element can end within it. */
void html_write_json(FILE *out, struct text text);

/* A power of ten that keeps `digits` more digits of `peak` than its first. */
double html_step(double peak, int digits);

/* "step":S,"d":[…]: whole differences in units of the step, from `origin` on; null where nothing is known. */
void html_write_points(FILE *out, const double *points, size_t count, double origin, double step);

/* printf for our own markup; nothing is escaped, so no text of a job may pass through it. */
void html_write(FILE *out, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
