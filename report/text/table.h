/* SPDX-License-Identifier: Apache-2.0 */
/* A table on a terminal: columns with a heading, a width and a kind. */
#ifndef RTRACK_REPORT_TEXT_TABLE_H
#define RTRACK_REPORT_TEXT_TABLE_H

#include "report/say/terminal.h"

enum table_kind {
	TABLE_FIGURE, /* trusted, aligned to the right; wider ones are not cut */
	TABLE_TEXT,   /* aligned to the left, and cut to the width */
	TABLE_NAME,   /* the same in bold, except in the heading */
	TABLE_REST    /* the last: as long as the line, without a width */
};

struct table_column {
	const char *heading;
	enum table_kind kind;
	unsigned width; /* without the space before it */
	unsigned from;  /* left out on terminals that are narrower than this */
};

enum { TABLE_COLUMNS_MAX = 32 };

struct text_table {
	const struct terminal *terminal;
	struct table_column columns[TABLE_COLUMNS_MAX];
	size_t count;
	unsigned gaps[TABLE_COLUMNS_MAX];       /* further spaces before columns */
	enum colour colours[TABLE_COLUMNS_MAX]; /* of the cells of the next row */
	const char *kept; /* behind the TABLE_REST of the next row; not cut if some of that is left. May be NULL */
};

/* clang-format off */
#define TABLE(screen, ...)                                                                                             \
	{.terminal = (screen), .columns = {__VA_ARGS__},                                                               \
		.count = sizeof((struct table_column[]){__VA_ARGS__}) / sizeof(struct table_column)}
/* clang-format on */

/* Writes the headings. */
void table_heading(const struct text_table *table);

/* Writes a row; there is a cell for each column, those that are left out as well. */
#define table_row(table, ...) table_write((table), COLOUR_plain, (const char *const[]){__VA_ARGS__})
void table_write(const struct text_table *table, enum colour colour, const char *const *cells);

/* Makes a column at least as wide as a cell. */
void table_see(struct text_table *table, size_t column, const char *cell);

/* How wide a line is without a column. */
unsigned table_width_without(const struct text_table *table, size_t column);

/* Makes the first column narrower, down to `least`, if the terminal has no room for it beside the other columns and
 * `further` more. Returns how wide these are. */
unsigned table_fit(struct text_table *table, unsigned least, unsigned further);

#endif
