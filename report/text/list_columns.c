/* The table of `list --columns`. A column is one of four texts or a total, so that each row of total.def is a column.
 */
#include "report/text/list.h"

#include "core/number.h"
#include "report/say/message.h"
#include "report/say/nearest.h"

#include <stdio.h>
#include <string.h>

enum { RUN, JOB, START, STATUS, TEXTS }; /* from TEXTS on: TEXTS + enum total_id */
enum { JOB_LEAST = 9, GAP = 2, CELL_MAX = 200 };

static const struct {
	const char *name, *heading;
	int column;
} names[] = {{"run", "Run (UTC)", RUN}, {"job", "Job", JOB}, {"start", "Start", START}, {"status", "Status", STATUS},
	{"duration", "Duration", TEXTS + TOTAL_wall_seconds}, {"cpu", "CPU", TEXTS + TOTAL_cpu_seconds},
	{"memory", "Memory", TEXTS + TOTAL_peak_memory_mib}};

static int find_column(const char *name)
{
	struct nearest nearest = nearest_begin(name);

	for (size_t i = 0; i < ARRAY_LENGTH(names); i++) {
		if (strcmp(name, names[i].name) == 0)
			return names[i].column;
		nearest_try(&nearest, names[i].name);
	}
	for (int i = 0; i < TOTAL_COUNT; i++) {
		if (strcmp(name, total_table[i].name) == 0)
			return TEXTS + i;
		nearest_try(&nearest, total_table[i].name);
	}
	if (*nearest.found)
		message_print("--columns: no column '%s'; did you mean '%s'?", name, nearest.found);
	else
		message_print("--columns: no column '%s'; the columns are run, job, start, duration, status, cpu, "
			      "memory, and each total by its name (docs/report.md)",
			name);
	return -1;
}

int list_columns_read(struct list_columns *columns, const char *text)
{
	columns->count = 0;
	while (true) {
		char name[64];
		size_t length = strcspn(text, ",");
		int column;

		snprintf(name, sizeof name, "%.*s", (int)length, text);
		column = find_column(name);
		if (column < 0)
			return -1;
		if (columns->count == LIST_COLUMNS_MAX) {
			message_print("--columns: more than %d columns", LIST_COLUMNS_MAX);
			return -1;
		}
		columns->items[columns->count++] = column;
		if (text[length] == '\0')
			return 0;
		text += length + 1;
	}
}

static const char *heading_of(int column)
{
	for (size_t i = 0; i < ARRAY_LENGTH(names); i++)
		if (names[i].column == column)
			return names[i].heading;
	return total_table[column - TEXTS].label;
}

static const char *cell_of(const struct terminal *terminal, const struct list_row *row, int column, char text[CELL_MAX])
{
	switch (column) {
	case RUN:
		return row->id;
	case JOB:
		return row->job;
	case STATUS:
		return row->status;
	case START:
		snprintf(text, CELL_MAX, "%s", number_known(row->start) ? units_time(row->start, false).text : "-");
		return text;
	default: {
		enum total_id id = (enum total_id)(column - TEXTS);
		double value = total_value(&row->totals, id);
		struct figure figure = id == TOTAL_peak_memory_mib ? list_peak(terminal, row)
								   : terminal_figure(total_table[id].unit, value);
		snprintf(text, CELL_MAX, "%s", number_known(value) ? figure.text : "-");
		return text;
	}
	}
}

static unsigned width_of(const struct terminal *terminal, int column, const struct list_row *rows, size_t count)
{
	unsigned width = terminal_columns(terminal, heading_of(column));
	char text[CELL_MAX];

	for (size_t i = 0; i < count; i++) {
		unsigned columns = terminal_columns(terminal, cell_of(terminal, &rows[i], column, text));
		width = columns > width ? columns : width;
	}
	return width;
}

static void write_cell(const struct terminal *terminal, const char *text, int column, unsigned width, bool last)
{
	unsigned columns = terminal_columns(terminal, text);

	if (column >= TEXTS)
		fprintf(terminal->out, "%*s", (int)(width > columns ? width - columns : 0), "");
	terminal_text(terminal, text, width > columns || column != JOB ? columns : width,
		column >= TEXTS || last ? 0 : width);
	fprintf(terminal->out, "%*s", last ? 0 : GAP, "");
}

void list_columns_write(
	const struct terminal *terminal, const struct list_columns *columns, const struct list_row *rows, size_t count)
{
	unsigned widths[LIST_COLUMNS_MAX], sum = 0;
	char text[CELL_MAX];

	if (count == 0)
		return;
	for (size_t i = 0; i < columns->count; i++) {
		widths[i] = width_of(terminal, columns->items[i], rows, count);
		sum += widths[i] + (i > 0 ? GAP : 0);
	}
	for (size_t i = 0; i < columns->count && sum > terminal->width && !terminal->whole; i++) {
		if (columns->items[i] != JOB)
			continue;
		unsigned spare = widths[i] > JOB_LEAST ? widths[i] - JOB_LEAST : 0, over = sum - terminal->width;
		widths[i] -= spare < over ? spare : over;
		sum -= spare < over ? spare : over;
	}
	terminal_colour(terminal, COLOUR_dim);
	for (size_t i = 0; i < columns->count; i++)
		write_cell(
			terminal, heading_of(columns->items[i]), columns->items[i], widths[i], i + 1 == columns->count);
	terminal_colour(terminal, COLOUR_plain);
	fputc('\n', terminal->out);
	for (size_t k = 0; k < count; k++) {
		for (size_t i = 0; i < columns->count; i++)
			write_cell(terminal, cell_of(terminal, &rows[k], columns->items[i], text), columns->items[i],
				widths[i], i + 1 == columns->count);
		fputc('\n', terminal->out);
	}
}
