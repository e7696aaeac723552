/* SPDX-License-Identifier: Apache-2.0 */
/* Prints a table on a terminal: columns with a heading, a width and a kind. */
#ifndef RTRACK_REPORT_TEXT_TABLE_H
#define RTRACK_REPORT_TEXT_TABLE_H

#include "report/say/terminal.h"

enum table_kind {
	TABLE_FIGURE, /* right-aligned trusted text; never truncated */
	TABLE_TEXT,   /* left-aligned, and truncated to the width */
	TABLE_NAME,   /* like TABLE_TEXT in bold, except in the heading */
	TABLE_REST    /* last column: extends to the end of the line */
};

struct table_column {
	const char *heading;
	enum table_kind kind;
	unsigned width; /* width of a cell, without the space before it */
	unsigned from;  /* hidden on terminals narrower than this */
};

enum { TABLE_COLUMNS_MAX = 32 };

struct text_table {
	const struct terminal *terminal;
	struct table_column columns[TABLE_COLUMNS_MAX];
	size_t count;
	unsigned gaps[TABLE_COLUMNS_MAX];       /* extra spaces before each column */
	enum colour colours[TABLE_COLUMNS_MAX]; /* colours of the next row's cells */
	/* text after the TABLE_REST cell of the next row, which is kept when that cell is truncated; or NULL */
	const char *kept;
};

/* clang-format off */
#define TABLE(screen, ...)                                                                                             \
	{.terminal = (screen), .columns = {__VA_ARGS__},                                                               \
		.count = sizeof((struct table_column[]){__VA_ARGS__}) / sizeof(struct table_column)}
/* clang-format on */

/* Writes the headings. */
void table_heading(const struct text_table *table);

/* Writes a row. Cells must be given for all columns, including hidden ones. */
#define table_row(table, ...) table_write((table), COLOUR_plain, (const char *const[]){__VA_ARGS__})
void table_write(const struct text_table *table, enum colour colour, const char *const *cells);

/* Widens a column to the width of a cell. */
void table_see(struct text_table *table, size_t column, const char *cell);

/* The width of a line without one column. */
unsigned table_width_without(const struct text_table *table, size_t column);

/* Narrows the first column, down to `least`, if the terminal is too narrow for all columns and `further` more. Returns
 * the width of the other columns. */
unsigned table_fit(struct text_table *table, unsigned least, unsigned further);

#endif
