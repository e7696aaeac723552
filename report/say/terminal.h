/* SPDX-License-Identifier: Apache-2.0 */
/* Text output for people: the capabilities of the terminal, and safe printing of untrusted text.
 *
 * A terminal gets colour and sparklines, which are ASCII unless the locale is UTF-8. Other outputs get plain lines,
 * laid out for 80 columns but never truncated. COLUMNS in the environment sets the width for both, and longer text is
 * then truncated. In untrusted text, control characters, characters that change the writing direction, and invalid
 * UTF-8 are written as \xNN. */
#ifndef RTRACK_REPORT_SAY_TERMINAL_H
#define RTRACK_REPORT_SAY_TERMINAL_H

#include "report/say/units.h"

#include <stdio.h>

struct terminal {
	FILE *out;
	bool live;   /* the output is a terminal */
	bool utf8;   /* the output can show non-ASCII characters */
	bool colour; /* unless NO_COLOR is set */
	bool whole;  /* texts are never truncated */
	unsigned width;
	unsigned height; /* lines of the terminal, or 0 for unlimited */
};

/* Below this width, tables show only the CPU time and the name. */
enum { TERMINAL_NARROW = 50 };

enum colour { COLOUR_plain, COLOUR_strong, COLOUR_dim, COLOUR_good, COLOUR_bad, COLOUR_warn, COLOUR_line };

struct terminal terminal_of(FILE *out);

/* Sets the colour of the following text. */
void terminal_colour(const struct terminal *terminal, enum colour colour);

/* Like printf, in a colour. */
int terminal_put(const struct terminal *terminal, enum colour colour, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* Writes a text in at most `width` columns, ending in "…" if truncated, then spaces up to column `pad`. Returns the
 * number of columns used. */
unsigned terminal_text(const struct terminal *terminal, const char *text, unsigned width, unsigned pad);

/* Like terminal_text, in a colour. */
unsigned terminal_text_in(
	const struct terminal *terminal, enum colour colour, const char *text, unsigned width, unsigned pad);

/* Ends a line of which `used` columns are written: writes a text, truncated to the width, and a newline. */
void terminal_text_line(const struct terminal *terminal, const char *text, unsigned used);

/* Writes a whole dim line, such as table headings, truncated to the width. */
void terminal_dim_line(const struct terminal *terminal, const char *text);

/* The number of columns that a text occupies. */
unsigned terminal_columns(const struct terminal *terminal, const char *text);

enum { TERMINAL_COLUMN_WHOLE = 60 }; /* maximum width of a text column when nothing is truncated */

/* The width of a table's text column. `longest` is its longest text and `rest` the width of the other columns. The
 * result is `longest` if there is room, but at least `least`. Where nothing is truncated, up to TERMINAL_COLUMN_WHOLE
 * is available. */
unsigned terminal_column_width(const struct terminal *terminal, unsigned longest, unsigned least, unsigned rest);

/* Writes a text from column `used` on, and wraps it to further lines from column `indent` on, or from column 2 if the
 * width leaves little room after `indent`. Ends with a newline. */
void terminal_wrap(const struct terminal *terminal, const char *text, unsigned used, unsigned indent);

/* Writes a row of at most `width` blocks whose heights show `count` values, the largest at full height. Each block is
 * the mean of its values, or with `peaks` the maximum. Writes nothing if `values` is NULL. */
void terminal_sparkline(
	const struct terminal *terminal, const double *values, size_t count, bool peaks, unsigned width);

/* Like units_figure, units_duration, units_brief and units_lived, but "-" if unknown. */
struct figure terminal_figure(enum unit unit, double value);
struct figure terminal_duration(double seconds);
struct figure terminal_brief(double seconds);
struct figure terminal_lived(double seconds);
/* An integer with thousands separated by commas. */
struct figure terminal_count(double value);

#endif
