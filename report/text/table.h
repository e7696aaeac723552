/* SPDX-License-Identifier: Apache-2.0 */
/* Prints a table on a terminal: columns with a heading, a width and a kind. */
#ifndef RTRACK_REPORT_TEXT_TABLE_H
#define RTRACK_REPORT_TEXT_TABLE_H

#include "report/say/terminal.h"

enum table_kind {
	TABLE_FIGURE, /* right-aligned text, which is trusted and never truncated */
	TABLE_TEXT,   /* left-aligned, and truncated to the width */
	TABLE_NAME,   /* like TABLE_TEXT, and bold except in the heading */
	TABLE_REST    /* last column, which extends to the end of the line */
};

struct table_column {
	const char *heading;
	enum table_kind kind;
	unsigned width; /* width of a cell, without the space before it */
	unsigned from;  /* the column is hidden on terminals narrower than this */
};

enum { TABLE_COLUMNS_MAX = 32 };

struct text_table {
	const struct terminal *terminal;
	struct table_column columns[TABLE_COLUMNS_MAX];
	size_t count;
	unsigned gaps[TABLE_COLUMNS_MAX];       /* extra spaces before each column */
	enum colour colours[TABLE_COLUMNS_MAX]; /* colours of the cells in the next row */
	/* text after the TABLE_REST cell of the next row, or NULL; if both do not fit, the cell is truncated, not this
	 * text */
	const char *kept;
};

/* clang-format off */
#define TABLE(screen, ...)                                                                                             \
	{.terminal = (screen), .columns = {__VA_ARGS__},                                                               \
		.count = sizeof((struct table_column[]){__VA_ARGS__}) / sizeof(struct table_column)}
/* clang-format on */

/* Writes the headings. */
void table_heading(const struct text_table *table);

/* Writes a row. The arguments are the cells of all columns, including hidden columns. */
#define table_row(table, ...) table_write((table), COLOUR_plain, (const char *const[]){__VA_ARGS__})
void table_write(const struct text_table *table, enum colour colour, const char *const *cells);

/* Widens a column to the width of a cell if the cell is wider. */
void table_see(struct text_table *table, size_t column, const char *cell);

/* Returns the width of a line without one of the columns. */
unsigned table_width_without(const struct text_table *table, size_t column);

/* Narrows the first column if the terminal is too narrow for all columns and `further` characters more. The column
 * keeps a width of at least `least`. Returns the width of the other columns. */
unsigned table_fit(struct text_table *table, unsigned least, unsigned further);

#endif
