/* A table on a terminal: columns with a heading, a width and a kind. */
#include "report/text/table.h"

enum { NAME_LEAST = 6 /* of the rest, before what is kept */ };

/* Writes the rest of a line, and behind it what is kept. */
static unsigned write_rest(const struct text_table *table, const char *cell, unsigned used)
{
	const struct terminal *terminal = table->terminal;
	unsigned left = terminal->width > used + 2 ? terminal->width - used - 2 : 0;
	unsigned kept = table->kept ? terminal_columns(terminal, table->kept) : 0;

	fputs("  ", terminal->out);
	unsigned written = terminal_text(terminal, cell, left >= kept + NAME_LEAST ? left - kept : left, 0);
	if (kept > 0) {
		terminal_colour(terminal, COLOUR_dim);
		written += terminal_text(terminal, table->kept, left > written ? left - written : 0, 0);
		terminal_colour(terminal, COLOUR_plain);
	}
	return 2 + written;
}

static unsigned write_cell(const struct text_table *table, const struct table_column *column, enum colour colour,
	const char *cell, unsigned used)
{
	const struct terminal *terminal = table->terminal;

	if (column->kind == TABLE_FIGURE)
		return (unsigned)fprintf(terminal->out, "%s%*s", used > 0 ? " " : "", (int)column->width, cell);
	if (column->kind == TABLE_REST)
		return *cell ? write_rest(table, cell, used) : 0;
	if (column->kind == TABLE_NAME && colour == COLOUR_plain)
		terminal_colour(terminal, COLOUR_strong);
	unsigned gap = (unsigned)fprintf(terminal->out, "%s", used > 0 ? " " : "");
	unsigned written = terminal_text(terminal, cell, column->width, column->width);
	if (column->kind == TABLE_NAME && colour == COLOUR_plain)
		terminal_colour(terminal, COLOUR_plain);
	return gap + written;
}

void table_write(const struct text_table *table, enum colour colour, const char *const *cells)
{
	unsigned used = 0;

	if (colour != COLOUR_plain)
		terminal_colour(table->terminal, colour);
	for (size_t i = 0; i < table->count; i++)
		if (table->terminal->width >= table->columns[i].from)
			used += write_cell(table, &table->columns[i], colour, cells[i], used);
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

void table_see(struct text_table *table, const char *cell)
{
	unsigned columns = terminal_columns(table->terminal, cell);

	if (columns > table->columns[0].width)
		table->columns[0].width = columns;
}

unsigned table_fit(struct text_table *table, unsigned least, unsigned further)
{
	for (size_t i = 1; i < table->count; i++)
		further += table->columns[i].kind == TABLE_REST ? 0 : table->columns[i].width + 1;
	table->columns[0].width = terminal_column_width(table->terminal, table->columns[0].width, least, further);
	return further;
}
