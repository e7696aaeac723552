/* SPDX-License-Identifier: Apache-2.0 */
/* Prints a table on a terminal. */
#include "report/text/table.h"

enum { NAME_LEAST = 6 /* minimum width of the TABLE_REST cell if a text follows it */ };

/* Writes the TABLE_REST cell and the text after it. */
static unsigned write_rest(const struct text_table *table, const char *cell, unsigned used)
{
	const struct terminal *terminal = table->terminal;
	unsigned gap = used > 0 ? 2 : 0, left = terminal->width > used + gap ? terminal->width - used - gap : 0;
	unsigned kept = table->kept ? terminal_columns(terminal, table->kept) : 0;

	fprintf(terminal->out, "%*s", (int)gap, "");
	unsigned written = terminal_text(terminal, cell, left >= kept + NAME_LEAST ? left - kept : left, 0);
	if (kept > 0) {
		terminal_colour(terminal, COLOUR_dim);
		written += terminal_text(terminal, table->kept, left > written ? left - written : 0, 0);
		terminal_colour(terminal, COLOUR_plain);
	}
	return gap + written;
}

static unsigned write_cell(
	const struct text_table *table, size_t i, enum colour colour, const char *cell, unsigned used)
{
	const struct terminal *terminal = table->terminal;
	const struct table_column *column = &table->columns[i];

	if (column->kind == TABLE_REST)
		return *cell ? write_rest(table, cell, used) : 0;
	unsigned gap = used > 0 ? 1 + table->gaps[i] : 0, columns = terminal_columns(terminal, cell);
	unsigned pad = column->kind == TABLE_FIGURE && column->width > columns ? column->width - columns : 0;
	enum colour own = column->kind == TABLE_NAME ? COLOUR_strong : table->colours[i];
	fprintf(terminal->out, "%*s", (int)(gap + pad), "");
	if (own != COLOUR_plain && colour == COLOUR_plain)
		terminal_colour(terminal, own);
	if (column->kind == TABLE_FIGURE)
		fputs(cell, terminal->out);
	else
		columns = terminal_cell(terminal, cell, column->width, column->width);
	if (own != COLOUR_plain && colour == COLOUR_plain)
		terminal_colour(terminal, COLOUR_plain);
	return gap + pad + columns;
}

void table_write(const struct text_table *table, enum colour colour, const char *const *cells)
{
	unsigned used = 0;

	if (colour != COLOUR_plain)
		terminal_colour(table->terminal, colour);
	for (size_t i = 0; i < table->count; i++)
		if (table->terminal->width >= table->columns[i].from)
			used += write_cell(table, i, colour, cells[i], used);
	if (colour != COLOUR_plain)
		terminal_colour(table->terminal, COLOUR_plain);
	fputc('\n', table->terminal->out);
}

void table_heading(const struct text_table *table)
{
	const char *cells[TABLE_COLUMNS_MAX];

	for (size_t i = 0; i < table->count; i++)
		cells[i] = table->columns[i].heading;
	table_write(table, COLOUR_dim, cells);
}

void table_see(struct text_table *table, size_t column, const char *cell)
{
	unsigned columns = terminal_columns(table->terminal, cell);

	if (columns > table->columns[column].width)
		table->columns[column].width = columns;
}

unsigned table_width_without(const struct text_table *table, size_t column)
{
	unsigned width = 0;

	for (size_t i = 0; i < table->count; i++) {
		width += i > 0 ? 1 + table->gaps[i] : 0;
		width += i != column ? table->columns[i].width : 0;
	}
	return width;
}

unsigned table_fit(struct text_table *table, unsigned least, unsigned further)
{
	further += table_width_without(table, 0);
	table->columns[0].width = terminal_column_width(table->terminal, table->columns[0].width, least, further);
	return further;
}
