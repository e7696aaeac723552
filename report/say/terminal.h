/* SPDX-License-Identifier: Apache-2.0 */
/* Prints text for users: detects what the terminal can show, and prints untrusted text safely.
 *
 * On a terminal, the output has colours and sparklines. Sparklines are ASCII unless the locale is UTF-8. Other output
 * has plain lines for a width of 80 columns, and longer texts are truncated at 120. If the environment variable COLUMNS
 * is set, it sets the width, and longer text is truncated. In untrusted text, control characters, characters that
 * change the writing direction, and invalid UTF-8 are written as \xNN. */
#ifndef RTRACK_REPORT_SAY_TERMINAL_H
#define RTRACK_REPORT_SAY_TERMINAL_H

#include "report/say/units.h"

#include <stdio.h>

struct terminal {
	FILE *out;
	bool live;   /* the output is a terminal */
	bool utf8;   /* the output can show non-ASCII characters */
	bool colour; /* the output is in colour; false if NO_COLOR is set */
	bool whole;  /* texts may reach column 120, because the output is not a terminal and COLUMNS is not set */
	unsigned width;
	unsigned height; /* number of lines of the terminal, or 0 if unlimited */
};

/* On a terminal narrower than this, tables have only two columns: CPU time and name. */
enum { TERMINAL_NARROW = 50 };

enum colour { COLOUR_plain, COLOUR_strong, COLOUR_dim, COLOUR_good, COLOUR_bad, COLOUR_warn, COLOUR_line };

struct terminal terminal_of(FILE *out);

/* Sets the colour of the following text. */
void terminal_colour(const struct terminal *terminal, enum colour colour);

/* Like printf, but writes the text in a colour. */
int terminal_put(const struct terminal *terminal, enum colour colour, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* Writes a text in at most `width` columns, or in up to 40 columns more if `whole` is set: callers compute `width` for
 * lines of 80 columns. A longer text is truncated and ends in "…". Writes spaces after the text up to column `pad`.
 * Returns the number of columns written. */
unsigned terminal_text(const struct terminal *terminal, const char *text, unsigned width, unsigned pad);

/* Like terminal_text, but for a cell of a table, which never exceeds `width`. */
unsigned terminal_cell(const struct terminal *terminal, const char *text, unsigned width, unsigned pad);

/* Like terminal_text, but writes the text in a colour. */
unsigned terminal_text_in(
	const struct terminal *terminal, enum colour colour, const char *text, unsigned width, unsigned pad);

/* Writes a text and a newline at the end of a line that already has `used` columns. The text is truncated to the width
 * of the terminal. */
void terminal_text_line(const struct terminal *terminal, const char *text, unsigned used);

/* Writes a text in dim colour and a newline, for example the headings of a table. The text is truncated to the width of
 * the terminal. */
void terminal_dim_line(const struct terminal *terminal, const char *text);

/* Replaces "×" and "–" in a text by "x" and "-" if the output is not UTF-8. */
void terminal_replace(const struct terminal *terminal, char *text);

/* Returns the number of columns that a text occupies. */
unsigned terminal_columns(const struct terminal *terminal, const char *text);

/* Returns the maximum width of a line whose texts may be truncated. */
unsigned terminal_room(const struct terminal *terminal);

/* Returns the width of a table's text column. `longest` is the width of its longest text, and `rest` the width of all
 * other columns. The result is `longest` if the line has room for it, otherwise the space that remains, but never below
 * `least`. */
unsigned terminal_column_width(const struct terminal *terminal, unsigned longest, unsigned least, unsigned rest);

/* Writes a text, starting at column `used`, and a newline. Wraps long text to further lines, which start at column
 * `indent`. If that leaves too little width, they start at column 2. */
void terminal_wrap(const struct terminal *terminal, const char *text, unsigned used, unsigned indent);

/* Writes a sparkline of `count` values, at most `width` columns wide. Each block shows the mean of several values, or
 * their maximum if `peaks` is true. The largest block has full height. Writes nothing if `values` is NULL. */
void terminal_sparkline(
	const struct terminal *terminal, const double *values, size_t count, bool peaks, unsigned width);

/* Like units_figure, units_duration, units_brief and units_lived, but format unknown values as "-". */
struct figure terminal_figure(enum unit unit, double value);
struct figure terminal_duration(double seconds);
struct figure terminal_brief(double seconds);
struct figure terminal_lived(double seconds);
/* Formats a time in the time zone of the reader, such as "2026-11-21 02:56:00 CET", or "-" if it is unknown. */
struct figure terminal_time(double seconds);
/* Lets terminal_time use UTC instead of the reader's time zone. */
void terminal_use_utc(void);
/* Returns whether terminal_time uses UTC, because of terminal_use_utc or because this is the reader's time zone. */
bool terminal_is_utc(void);
/* Formats an integer with commas between thousands. */
struct figure terminal_count(double value);

#endif
