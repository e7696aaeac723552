/* SPDX-License-Identifier: Apache-2.0 */
/* The table of `list --columns`. A column shows a text (run, job, start or status) or a total of total.def. */
#include "report/text/list.h"
#include "report/text/table.h"

#include "core/number.h"
#include "report/say/message.h"
#include "report/say/nearest.h"

#include <stdio.h>
#include <string.h>

enum { RUN, JOB, START, STATUS, TEXTS }; /* the column TEXTS + N shows the total N of enum total_id */
enum { JOB_LEAST = 9, CELL_MAX = 200 };

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
		snprintf(text, CELL_MAX, "%s", terminal_time(row->start).text);
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

void list_columns_write(
	const struct terminal *terminal, const struct list_columns *columns, const struct list_row *rows, size_t count)
{
	struct text_table table = {.terminal = terminal, .count = columns->count};
	char texts[LIST_COLUMNS_MAX][CELL_MAX];
	const char *cells[LIST_COLUMNS_MAX];

	if (count == 0)
		return;
	for (size_t i = 0; i < columns->count; i++) {
		int column = columns->items[i];
		bool last = i + 1 == columns->count;
		table.columns[i] = (struct table_column){.heading = heading_of(column),
			.kind = column >= TEXTS ? TABLE_FIGURE
				: last          ? TABLE_REST
						: TABLE_TEXT};
		table.gaps[i] = 1;
		table_see(&table, i, heading_of(column));
		for (size_t k = 0; k < count; k++)
			table_see(&table, i, cell_of(terminal, &rows[k], column, texts[i]));
	}
	for (size_t i = 0; i < columns->count; i++) {
		unsigned *width = &table.columns[i].width, all = table_width_without(&table, i) + *width;
		unsigned spare = *width > JOB_LEAST ? *width - JOB_LEAST : 0;
		unsigned over = all > terminal_room(terminal) ? all - terminal_room(terminal) : 0;
		if (columns->items[i] == JOB)
			*width -= spare < over ? spare : over;
	}
	table_heading(&table);
	for (size_t k = 0; k < count; k++) {
		for (size_t i = 0; i < columns->count; i++)
			cells[i] = cell_of(terminal, &rows[k], columns->items[i], texts[i]);
		table_write(&table, COLOUR_plain, cells);
	}
}
