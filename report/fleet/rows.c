/* SPDX-License-Identifier: Apache-2.0 */
/* Writes the rows of many runs to one CSV file per view, so that an engine reads one file instead of one file per run.
 * With one file per run, DuckDB 1.5 and 2.0 spent four fifths of their time on opening and parsing files (runs of a
 * minute). */
#define _GNU_SOURCE
#include "report/fleet/run_source.h"

#include "core/spool.h"
#include "report/say/alloc.h"
#include "report/say/bounds.h"
#include "report/say/file.h"
#include "report/say/json.h"
#include "report/say/message.h"
#include "report/spool/files.h"
#include "report/spool/lines.h"
#include "report/spool/owner.h"

#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { CELLS_MAX = 256 };

struct rows {
	FILE *out;
	const struct table *table;
	const char *run;
	struct text cells[CELLS_MAX];
	int cell_of[COLUMNS_MAX]; /* for each column of the table, the index of its cell in a line, or -1 */
	bool same_columns;        /* whether the file has exactly the columns of the table, in the same order */
	bool escaped;             /* whether the file has bytes that are not UTF-8 */
};

/* -- cells ----------------------------------------------------------------------------------------- */

/* Returns the length of the cell at `data`. A quoted cell ends with a quote before a comma or the end of the line; any
 * other cell ends before the next comma. */
static size_t cell_length(const char *data, size_t length)
{
	const char *comma = memchr(data, ',', length);

	for (size_t i = 1; length > 0 && data[0] == '"' && i < length; i++) {
		if (data[i] != '"')
			continue;
		if (i + 1 == length || data[i + 1] == ',')
			return i + 1;
		if (data[++i] != '"')
			break;
	}
	return comma ? (size_t)(comma - data) : length;
}

static int split(struct rows *rows, struct text line)
{
	int count = 0;

	for (size_t at = 0; at <= line.length && count < CELLS_MAX;) {
		size_t length = cell_length(line.data + at, line.length - at);
		rows->cells[count++] = (struct text){line.data + at, length};
		at += length + 1;
	}
	return count;
}

static void read_header(struct rows *rows, struct text line)
{
	char quoted[128];
	int count = split(rows, line);

	rows->same_columns = (size_t)count == rows->table->count;
	for (size_t column = 0; column < rows->table->count; column++) {
		(void)snprintf(quoted, sizeof quoted, "\"%s\"", column_name(&table_columns(rows->table)[column]));
		rows->cell_of[column] = -1;
		for (int i = count; i-- > 0;)
			if (text_is(rows->cells[i], quoted))
				rows->cell_of[column] = i;
		rows->same_columns &= rows->cell_of[column] == (int)column;
	}
}

/* -- writing --------------------------------------------------------------------------------------- */

/* Writes a cell. A cell with a stray quote or a carriage return is quoted, so that it remains one cell. */
static void write_cell(const struct rows *rows, struct text cell)
{
	bool whole = cell.length >= 2 && cell.data[0] == '"' && cell_length(cell.data, cell.length) == cell.length &&
		     cell.data[cell.length - 1] == '"';
	bool quote = !whole && (memchr(cell.data, '"', cell.length) || memchr(cell.data, '\r', cell.length));

	fputs(quote ? "\"" : "", rows->out);
	for (size_t i = 0; i < cell.length; i++) {
		unsigned char byte = (unsigned char)cell.data[i];
		if (quote && byte == '"')
			putc_unlocked('"', rows->out);
		if (rows->escaped && (byte >= 0x80 || byte == '\0'))
			fprintf(rows->out, "\\x%02X", byte);
		else
			putc_unlocked(byte, rows->out);
	}
	fputs(quote ? "\"" : "", rows->out);
}

/* Returns whether a line can be copied unchanged. */
static bool is_plain(const struct rows *rows, struct text line)
{
	size_t commas = 0;

	if (!rows->same_columns || rows->escaped)
		return false;
	for (size_t i = 0; i < line.length; i++) {
		if (line.data[i] == '"' || line.data[i] == '\r')
			return false;
		commas += line.data[i] == ',';
	}
	return commas + 1 == rows->table->count;
}

static void write_quoted(const struct rows *rows, const char *text)
{
	putc_unlocked('"', rows->out);
	for (; *text; text++) {
		if (*text == '"')
			putc_unlocked('"', rows->out);
		putc_unlocked(*text, rows->out);
	}
	putc_unlocked('"', rows->out);
}

static void write_line(struct rows *rows, struct text line)
{
	write_quoted(rows, rows->run);
	if (is_plain(rows, line)) {
		putc_unlocked(',', rows->out);
		fwrite(line.data, 1, line.length, rows->out);
	} else {
		int count = split(rows, line);
		for (size_t column = 0; column < rows->table->count; column++) {
			int cell = rows->cell_of[column];
			putc_unlocked(',', rows->out);
			if (cell >= 0 && cell < count)
				write_cell(rows, rows->cells[cell]);
		}
	}
	putc_unlocked('\n', rows->out);
}

/* -- files ----------------------------------------------------------------------------------------- */

static bool is_utf8(struct text text)
{
	unsigned char all = 0;

	for (size_t i = 0; i < text.length; i++)
		all |= (unsigned char)text.data[i];
	for (size_t i = 0; all >= 0x80 && i < text.length;) {
		size_t length = text_character(text, i);
		if (length == 0)
			return false;
		i += length;
	}
	return !memchr(text.data, '\0', text.length);
}

/* Begins to read an open file from its first byte. The caller must call lines_close. */
static void begin(struct lines *lines, int file)
{
	(void)lseek(file, 0, SEEK_SET);
	lines_take(lines, file, "reading tables");
}

/* Returns whether a file has bytes that are not UTF-8. */
static bool has_other_bytes(int file)
{
	struct lines lines;
	struct line line;
	bool found = false;

	begin(&lines, file);
	while (!found && lines_next(&lines, &line))
		found = !is_utf8((struct text){line.data, line.length});
	lines_close(&lines);
	return found;
}

/* Writes the rows of a file. An incomplete last line is left out, and so are lines that are too long. A file without a
 * header has no rows. */
static void write_run(struct rows *rows, struct lines *lines)
{
	struct line line;

	while (lines_next(lines, &line)) {
		struct text text = {line.data, line.length};
		if ((line.torn || line.cut) && line.number == 1)
			return;
		if (line.torn || line.cut)
			continue;
		if (line.number == 1)
			read_header(rows, text);
		else
			write_line(rows, text);
	}
}

/* Returns the text of a file of the run, or NULL if it cannot be read. The caller must free it. */
static char *read_text(const struct files *files, const char *name)
{
	size_t length = 0;
	int file = files_get(files, name);
	char *text = file < 0 ? NULL : file_read_open(file, BOUND_RUN_JSON, &length);

	if (file >= 0)
		close(file);
	if (text && json_count((struct text){text, length}) <= BOUND_JSON_VALUES)
		return text;
	free(text);
	return NULL;
}

/* Returns run.json of a run, with the owner of the run as its user, or NULL. */
static cJSON *read_run_json(const struct files *files)
{
	char *text = read_text(files, SPOOL_RUN_FILE);
	cJSON *json = text ? cJSON_Parse(text) : NULL;
	cJSON *user = cJSON_GetObjectItemCaseSensitive(json, "user");

	free(text);
	if (cJSON_IsString(user))
		cJSON_ReplaceItemInObjectCaseSensitive(
			json, "user", cJSON_CreateString(owner_user(files, user->valuestring)));
	return json;
}

/* Returns the totals in the digest of a run, or NULL. */
static cJSON *read_totals(const struct files *files)
{
	char *text = read_text(files, SPOOL_SUMMARY_FILE);
	const char *totals = text ? strstr(text, "\n{\"wall_seconds\"") : NULL;
	cJSON *json = totals ? cJSON_ParseWithOpts(totals + 1, NULL, false) : NULL;

	free(text);
	return json;
}

/* Writes a JSON file of one run as a cell. Omits damaged JSON, and lines that are too long for an engine. */
static void write_json(struct rows *rows, const struct files *files, size_t view)
{
	enum { LINE_LENGTH_MAX = 1 << 20 };
	cJSON *json = view == VIEW_RUNS ? read_run_json(files) : read_totals(files);
	char *text = cJSON_IsObject(json) ? json_compact(json) : NULL;

	if (text && strlen(text) < LINE_LENGTH_MAX) {
		write_quoted(rows, rows->run);
		putc_unlocked(',', rows->out);
		write_quoted(rows, text);
		putc_unlocked('\n', rows->out);
	}
	free(text);
	cJSON_Delete(json);
}

static void take_json(struct rows *rows, const char *directory, size_t view)
{
	char *path = xasprintf("%s/%s", directory, rows->run);
	struct files files;

	if (files_open(&files, path) == 0)
		write_json(rows, &files, view);
	files_close(&files);
	free(path);
}

/* Writes the rows of one run. A missing table has no rows, and a table ends before a line that is longer than
 * BOUND_LINE. Returns 0, or -1 with errno on other errors. */
static int take_run(struct rows *rows, const char *directory)
{
	char *path = xasprintf("%s/%s", directory, rows->run);
	struct files files;
	struct lines lines;

	int file = files_open(&files, path) == 0 ? files_get(&files, rows->table->file) : -1;
	int error = file < 0 ? errno : 0;
	if (file >= 0) {
		rows->escaped = has_other_bytes(dup(file));
		begin(&lines, file);
		write_run(rows, &lines);
		error = lines.error;
		lines_close(&lines);
	}
	files_close(&files);
	bool refused = error == EFBIG || files_is_foreign(error);
	if (refused)
		message_print_once("'%s/%s' cannot be read: %s", path, rows->table->file, lines_problem(error));
	free(path);
	errno = error;
	return error == 0 || error == ENOENT || refused ? 0 : -1;
}

int rows_write(const struct run_source *source, size_t view, const char *directory)
{
	struct rows rows = {.table = view < TABLE_COUNT ? &tables[view] : NULL};
	char *path = xasprintf("%s/" ROWS_PREFIX "%s", directory, view_name(view));
	int result = 0;

	rows.out = fopen(path, "ae");
	free(path);
	if (!rows.out)
		return -1;
	for (size_t i = 0; result == 0 && i < source->chosen_count; i++) {
		rows.run = source->chosen[i];
		if (rows.table)
			result = take_run(&rows, source->path);
		else
			take_json(&rows, source->path, view);
	}
	int error = result == 0 ? EIO : errno;
	bool written = !ferror(rows.out);
	if (fclose(rows.out) == 0 && written && result == 0)
		return 0;
	errno = error;
	return -1;
}
