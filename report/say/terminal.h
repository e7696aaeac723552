/* SPDX-License-Identifier: Apache-2.0 */
/* Where text for a person goes: what it can show, and how texts of a job are shown on it.
 *
 * A terminal may get colour and sparklines, which are ASCII unless the locale is UTF-8; anything else gets plain lines,
 * laid out for 80 columns, of which no text is cut. COLUMNS in the environment is the width of either, and what is
 * longer is cut. Texts of a job are shown, never obeyed: control characters, those that turn the direction of writing,
 * and bytes that are not UTF-8 are written as \xNN. */
#ifndef RTRACK_REPORT_SAY_TERMINAL_H
#define RTRACK_REPORT_SAY_TERMINAL_H

#include "report/say/units.h"

#include <stdio.h>

struct terminal {
	FILE *out;
	bool live;   /* it is a terminal */
	bool utf8;   /* it can show more than ASCII */
	bool colour; /* unless NO_COLOR is set */
	bool whole;  /* texts are not cut, however long they are */
	unsigned width;
	unsigned height; /* 0: as many lines as there are */
};

/* Below this width a table has the CPU time and the name, and its other columns are left out. */
enum { TERMINAL_NARROW = 50 };

enum colour { COLOUR_plain, COLOUR_strong, COLOUR_dim, COLOUR_good, COLOUR_bad, COLOUR_warn, COLOUR_line };

struct terminal terminal_of(FILE *out);

/* Sets the colour of the text that follows. */
void terminal_colour(const struct terminal *terminal, enum colour colour);

/* printf in a colour. */
int terminal_put(const struct terminal *terminal, enum colour colour, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* Writes a text in at most `width` columns, ending in "…" if it was cut, then spaces up to column `pad`. Returns how
 * many columns were used. */
unsigned terminal_text(const struct terminal *terminal, const char *text, unsigned width, unsigned pad);

/* Writes a whole line that is dim, such as the titles of a table, cut to the width. */
void terminal_dim_line(const struct terminal *terminal, const char *text);

/* How many columns a text takes. */
unsigned terminal_columns(const struct terminal *terminal, const char *text);

enum { TERMINAL_COLUMN_WHOLE = 60 }; /* what a column of texts has at most where nothing is cut */

/* How wide a table's column of texts is, of which the longest takes `longest`, beside others that take `rest`: as wide
 * as that, if there is room, but at least `least`. Where nothing is cut there is room for TERMINAL_COLUMN_WHOLE. */
unsigned terminal_column_width(const struct terminal *terminal, unsigned longest, unsigned least, unsigned rest);

/* Writes a text from column `used` on, and what does not fit in further lines from column `indent` on, or from column 2
 * where the width leaves little behind that. Ends with the end of the line. */
void terminal_wrap(const struct terminal *terminal, const char *text, unsigned used, unsigned indent);

/* Writes a row of at most `width` blocks with the heights of `count` figures, the greatest one the full height. Each
 * block is the mean, or with `peaks` the greatest, of its part of the figures. `values` NULL: writes nothing. */
void terminal_sparkline(
	const struct terminal *terminal, const double *values, size_t count, bool peaks, unsigned width);

/* As units_figure, units_duration, units_brief and units_lived, "-" when unknown. */
struct figure terminal_figure(enum unit unit, double value);
struct figure terminal_duration(double seconds);
struct figure terminal_brief(double seconds);
struct figure terminal_lived(double seconds);
/* A whole number with commas between thousands. */
struct figure terminal_count(double value);

#endif
