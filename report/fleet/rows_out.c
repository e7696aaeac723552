/* SPDX-License-Identifier: Apache-2.0 */
#include "report/fleet/rows_out.h"

#include "core/number.h"
#include "report/say/alloc.h"
#include "report/say/json.h"
#include "report/say/utf8.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* -- opening --------------------------------------------------------------------------------------- */

/* Copies the names of the columns, because reading the first row overwrites the header. */
static void keep_names(struct rows_out *rows)
{
	const struct reader *reader = &rows->reader;
	int time = reader->field_of[0];

	for (int i = 0; i < reader->field_count; i++) {
		rows->names[i] = xstrndup(reader->fields[i].data, reader->fields[i].length);
		bool left_out = !*rows->names[i];
		for (int k = 0; k < i; k++)
			left_out |= rows->names[k] && strcmp(rows->names[k], rows->names[i]) == 0;
		if (left_out) {
			free(rows->names[i]);
			rows->names[i] = NULL;
		}
	}
	rows->order[rows->count++] = time;
	for (int i = 0; i < reader->field_count; i++)
		if (i != time && rows->names[i])
			rows->order[rows->count++] = i;
}

static bool is_figure(struct text cell)
{
	double value;
	return cell.length > 0 && number_read(cell, &value) == 0 && isfinite(value);
}

void rows_out_open(struct rows_out *rows, const struct files *files, enum table_id id)
{
	*rows = (struct rows_out){0};
	if (reader_open(&rows->reader, files, id) != 0)
		return;
	keep_names(rows);
	while (reader_next(&rows->reader)) {
		rows->rows++;
		for (int i = 0; i < rows->reader.field_count; i++)
			rows->known[i] = rows->known[i] || is_figure(rows->reader.fields[i]);
	}
	reader_close(&rows->reader);
	rows->open = reader_open(&rows->reader, files, id) == 0;
	rows->reader.quiet = true; /* The first pass has already reported the errors of the file. */
}

void rows_out_close(struct rows_out *rows)
{
	for (int i = 0; i < READER_FIELDS_MAX; i++) {
		free(rows->names[i]);
		free(rows->last[i]);
	}
	if (rows->open)
		reader_close(&rows->reader);
	rows->open = false;
}

static bool next_row(struct rows_out *rows)
{
	return rows->open && reader_next(&rows->reader);
}

/* -- JSON ------------------------------------------------------------------------------------------ */

void rows_out_text(gzFile out, struct text text)
{
	gzputc(out, '"');
	for (size_t at = 0; at < text.length;) {
		struct utf8_shown piece = utf8_in_json(text, at);
		gzputs(out, piece.text);
		at += piece.length;
	}
	gzputc(out, '"');
}

/* Returns whether a cell is a valid number in JSON: -?D+(.D+)? without leading zeros. */
static bool is_json(struct text cell)
{
	size_t i = cell.length > 0 && cell.data[0] == '-';
	size_t first = i;

	while (i < cell.length && cell.data[i] >= '0' && cell.data[i] <= '9')
		i++;
	if (i == first || (cell.data[first] == '0' && i > first + 1))
		return false;
	if (i == cell.length)
		return true;
	first = ++i;
	while (i < cell.length && cell.data[i] >= '0' && cell.data[i] <= '9')
		i++;
	return cell.data[first - 1] == '.' && i > first && i == cell.length;
}

static void put_figure(gzFile out, struct text cell)
{
	double value = 0;

	if (is_json(cell)) {
		gzwrite(out, cell.data, (unsigned)cell.length);
		return;
	}
	(void)number_read(cell, &value);
	gzputs(out, json_shortest(value).text);
}

static int column_of(const struct rows_out *rows, int field)
{
	for (size_t i = 0; i < rows->reader.table->count; i++)
		if (rows->reader.field_of[i] == field)
			return (int)i;
	return -1;
}

bool rows_out_is_predecessors(enum table_id id, int column)
{
	return column >= 0 && ((id == TABLE_system && column <= SYSTEM_gpu_utilized) ||
				      (id == TABLE_process && column <= PROCESS_gpu_utilized));
}

/* Returns the text for an unknown cell in the predecessor's format: 0 for a counter, the previous value for a gauge. */
static const char *filler(const struct rows_out *rows, int field)
{
	int column = column_of(rows, field);
	bool counter = column >= 0 && table_columns(rows->reader.table)[column].kind == KIND_COUNTER;
	return counter || !rows->last[field] ? "0" : rows->last[field];
}

static void put_cell(struct rows_out *rows, gzFile out, int field, bool predecessor)
{
	struct text cell = rows->reader.fields[field];

	if (is_figure(cell)) {
		put_figure(out, cell);
		free(rows->last[field]);
		rows->last[field] = predecessor ? xstrndup(cell.data, cell.length) : NULL;
	} else if (predecessor && (rows->known[field] || column_of(rows, field) >= 0)) {
		put_figure(out, text_of(filler(rows, field)));
	} else if (cell.length > 0) {
		rows_out_text(out, cell);
	} else {
		gzputs(out, "null");
	}
}

static void put_row(struct rows_out *rows, gzFile out, bool predecessor)
{
	const char *comma = "{";

	for (int i = 0; i < rows->count; i++) {
		enum table_id id = (enum table_id)(rows->reader.table - tables);
		int field = rows->order[i], column = column_of(rows, field);
		if (predecessor && !rows->known[field] && column >= 0 && !rows_out_is_predecessors(id, column))
			continue;
		gzputs(out, comma);
		rows_out_text(out, text_of(rows->names[field]));
		gzputc(out, ':');
		put_cell(rows, out, field, predecessor);
		comma = ",";
	}
	gzputc(out, '}');
}

void rows_out_json(struct rows_out *rows, gzFile out, bool predecessor)
{
	const char *comma = "[";

	while (next_row(rows)) {
		gzputs(out, comma);
		put_row(rows, out, predecessor);
		comma = ",\n";
	}
	gzputs(out, *comma == '[' ? "[]" : "]");
}

/* -- CSV ------------------------------------------------------------------------------------------- */

/* Writes a quoted text. An apostrophe before a text that begins like a formula keeps spreadsheets from evaluating it.
 */
static void put_csv_text(gzFile out, const char *prefix, struct text text)
{
	gzprintf(out, "\"%s", prefix);
	if (!*prefix && text.length > 0 && strchr("=+-@", text.data[0]))
		gzputc(out, '\'');
	for (size_t at = 0; at < text.length;) {
		struct utf8_shown shown = utf8_show(text, at, false);
		gzprintf(out, "%s%s", shown.code == '"' ? "\"" : "", shown.code == 0 ? "\xef\xbf\xbd" : shown.text);
		at += shown.length;
	}
	gzputc(out, '"');
}

void rows_out_csv_text(gzFile out, struct text text)
{
	put_csv_text(out, "", text);
}

/* Writes the cells of the header, separated by commas. `prefix` precedes each name except "timestamp". The timestamp is
 * written only if `time` is set. */
static void put_header(const struct rows_out *rows, gzFile out, const char *prefix, bool time)
{
	for (int i = time ? 0 : 1; i < rows->count; i++) {
		if (i > 0)
			gzputc(out, ',');
		put_csv_text(out, i == 0 ? "" : prefix, text_of(rows->names[rows->order[i]]));
	}
}

static void put_cells(const struct rows_out *rows, gzFile out, bool time)
{
	for (int i = time ? 0 : 1; i < rows->count; i++) {
		struct text cell = rows->reader.fields[rows->order[i]];
		if (i > 0)
			gzputc(out, ',');
		if (is_figure(cell))
			gzwrite(out, cell.data, (unsigned)cell.length);
		else if (cell.length > 0)
			put_csv_text(out, "", cell);
	}
}

void rows_out_csv(gzFile out, const struct files *files, uint64_t first, uint64_t last)
{
	struct rows_out process, system;

	rows_out_open(&process, files, TABLE_process);
	rows_out_open(&system, files, TABLE_system);
	bool time = !system.open; /* The timestamps of process.csv are written only if there is no system.csv. */
	put_header(&system, out, "system_", true);
	put_header(&process, out, "process_", time);
	gzputc(out, '\n');
	for (uint64_t row = 0; row < last && (system.open || process.open); row++) {
		if ((system.open && !next_row(&system)) || (process.open && !next_row(&process)))
			break;
		if (row < first)
			continue;
		put_cells(&system, out, true);
		put_cells(&process, out, time);
		gzputc(out, '\n');
	}
	rows_out_close(&process);
	rows_out_close(&system);
}
