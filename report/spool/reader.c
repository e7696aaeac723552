/* SPDX-License-Identifier: Apache-2.0 */
/* Reads the rows of one table's file. */
#include "report/spool/reader.h"

#include "core/row.h"
#include "report/say/alloc.h"
#include "report/say/bounds.h"
#include "report/say/message.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Reads the header. A file without a header is rejected, because the meaning of its cells is unknown. Returns a
 * description of the problem, or NULL. */
static const char *read_header(struct reader *reader)
{
	if (!lines_next(&reader->lines, &reader->line))
		return reader->lines.error ? lines_problem(reader->lines.error) : "it is empty";
	if (reader->line.torn)
		return "its header is incomplete";
	int count = row_split(reader->line.data, reader->line.length, reader->fields, READER_FIELDS_MAX);
	if (reader->line.cut || count < 0 || count > READER_FIELDS_MAX)
		return "its first line is not a header";
	reader->field_count = count;
	for (int i = 0; i < count; i++) {
		int column = column_find(reader->table, reader->fields[i]);
		if (column < 0 || reader->field_of[column] >= 0)
			continue;
		reader->field_of[column] = i;
		reader->present |= UINT64_C(1) << column;
	}
	return reader->field_of[0] < 0 ? "its first line is not a header" : NULL;
}

int reader_open(struct reader *reader, const struct files *files, enum table_id table)
{
	static const char *const reading[TABLE_COUNT] = {
		[TABLE_system] = "reading system.csv",
		[TABLE_process] = "reading process.csv",
		[TABLE_member] = "reading member.csv",
		[TABLE_start] = "reading start.csv",
		[TABLE_exit] = "reading exit.csv",
		[TABLE_mark] = "reading mark.csv",
		[TABLE_gpu] = "reading gpu.csv",
		[TABLE_line] = "reading line.csv",
		[TABLE_stack] = "reading stack.csv",
	};

	/* The pid column of each table whose rows belong to processes. */
	static const int pids[TABLE_COUNT] = {
		[TABLE_member] = MEMBER_pid,
		[TABLE_start] = START_pid,
		[TABLE_exit] = EXIT_pid,
		[TABLE_line] = LINE_pid,
	};

	/* Minimum mean length of the rows of each table whose rows are kept in memory. Rows of rtrack are longer. */
	static const size_t bytes_min[TABLE_COUNT] = {
		[TABLE_system] = 32,
		[TABLE_process] = 32,
		[TABLE_mark] = 20,
		[TABLE_line] = 64,
		[TABLE_stack] = 48,
	};

	*reader =
		(struct reader){.table = &tables[table], .pid_column = pids[table], .row_bytes_min = bytes_min[table]};
	for (int i = 0; i < COLUMNS_MAX; i++)
		reader->field_of[i] = -1;
	reader->path = xasprintf("%s/%s", files->path, reader->table->file);
	int file = files_get(files, reader->table->file);
	if (file < 0) {
		int error = errno;
		if (error != ENOENT)
			message_print_once("'%s' cannot be read: %s", reader->path, strerror(error));
		free(reader->path);
		errno = error;
		return -1;
	}
	lines_take(&reader->lines, file, reading[table]);
	const char *problem = read_header(reader);
	if (!problem)
		return 0;
	message_print_once("'%s' cannot be read: %s", reader->path, problem);
	reader_close(reader);
	errno = EBADMSG;
	return -1;
}

static const char *plural(uint64_t count)
{
	return count == 1 ? "" : "s";
}

void reader_close(struct reader *reader)
{
	uint64_t rows = reader->left_out - (reader->first_torn ? 1 : 0);
	if (reader->lines.error)
		message_print_once("'%s' cannot be read: %s", reader->path, lines_problem(reader->lines.error));
	if (reader->too_short && !reader->quiet)
		message_print_once("'%s' cannot be read whole: %s", reader->path, BOUND_MESSAGE(ROWS));
	if (rows > 0 && !reader->quiet)
		message_print_once("'%s', line %" PRIu64 ": %s; left out %" PRIu64 " such line%s", reader->path,
			reader->first_left_out, BOUND_MESSAGE(ROW), rows, plural(rows));
	if (reader->first_torn && !reader->quiet)
		message_print_once("'%s', line %" PRIu64 ": incomplete; left out", reader->path, reader->first_torn);
	if (reader->bad_cells > 0 && !reader->quiet)
		message_print_once("'%s', line %" PRIu64 ": not a number; took %" PRIu64 " such cell%s as unknown",
			reader->path, reader->first_bad_cell, reader->bad_cells, plural(reader->bad_cells));
	lines_close(&reader->lines);
	free(reader->path);
}

/* Parses a cell, with the same result as number_read but faster. Most cells are short decimals, whose digits fit
 * exactly into a double. Dividing the digits by a power of ten gives the nearest double. */
static inline int read_cell(struct text cell, double *value)
{
	enum { EXACT = 15 /* maximum number of digits that a double always represents exactly */ };
	static const double powers[EXACT + 1] = {
		1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15};
	size_t point = cell.length;
	int64_t digits = 0;

	if (cell.length == 0) {
		*value = UNKNOWN;
		return 0;
	}
	if (cell.length > EXACT)
		return number_read(cell, value);
	for (size_t i = 0; i < cell.length; i++) {
		unsigned digit = (unsigned)((unsigned char)cell.data[i] - '0');
		if (digit < 10)
			digits = digits * 10 + digit;
		else if (cell.data[i] == '.' && i > 0 && point == cell.length)
			point = i;
		else
			return number_read(cell, value);
	}
	size_t decimals = point < cell.length ? cell.length - point - 1 : 0;
	*value = (double)digits / powers[decimals];
	return 0;
}

enum line_kind { LINE_ROW, LINE_HEADER, LINE_OTHER };

static bool has_pid(const struct reader *reader)
{
	int field = reader->field_of[reader->pid_column];
	double pid;

	return field >= 0 && read_cell(reader->fields[field], &pid) == 0 && pid >= 1 && pid <= INT32_MAX;
}

/* Classifies a line. A header may occur again after the first line, because two processes that set their first marks at
 * the same time both write one. */
static enum line_kind kind_of_line(struct reader *reader)
{
	double timestamp;

	if (reader->line.torn || reader->line.cut)
		return LINE_OTHER;
	int count = row_split(reader->line.data, reader->line.length, reader->fields, READER_FIELDS_MAX);
	if (count != reader->field_count)
		return LINE_OTHER;
	struct text first = reader->fields[reader->field_of[0]];
	if (read_cell(first, &timestamp) == 0 && isfinite(timestamp))
		return reader->pid_column == 0 || has_pid(reader) ? LINE_ROW : LINE_OTHER;
	return column_find(reader->table, first) == 0 ? LINE_HEADER : LINE_OTHER;
}

static bool count_row(struct reader *reader)
{
	reader->rows++;
	reader->row_bytes += reader->line.length + 1;
	reader->too_short = reader->rows > BOUND_ROWS && reader->row_bytes < reader->rows * reader->row_bytes_min;
	return !reader->too_short;
}

bool reader_next(struct reader *reader)
{
	while (lines_next(&reader->lines, &reader->line)) {
		enum line_kind kind = kind_of_line(reader);
		if (kind == LINE_ROW)
			return count_row(reader);
		if (kind == LINE_HEADER)
			continue;
		reader->left_out++;
		if (reader->line.torn)
			reader->first_torn = reader->line.number;
		else if (reader->first_left_out == 0)
			reader->first_left_out = reader->line.number;
	}
	return false;
}

void reader_all(const struct files *files, enum table_id table, void (*take)(void *context, struct reader *reader),
	void *context)
{
	struct reader reader;

	if (reader_open(&reader, files, table) != 0)
		return;
	while (reader_next(&reader))
		take(context, &reader);
	reader_close(&reader);
}

int reader_find(const struct files *files, enum table_id table, int (*take)(void *context, struct reader *reader),
	void *context)
{
	struct reader reader;
	int result = 0;

	if (reader_open(&reader, files, table) != 0)
		return -1;
	reader.quiet = true;
	while (result == 0 && reader_next(&reader))
		result = take(context, &reader);
	reader_close(&reader);
	return result;
}

double reader_number(struct reader *reader, int column)
{
	double value = UNKNOWN;
	int field = reader->field_of[column];

	if (field < 0)
		return UNKNOWN;
	if (read_cell(reader->fields[field], &value) == 0 && !isinf(value))
		return value;
	if (reader->bad_cells++ == 0)
		reader->first_bad_cell = reader->line.number;
	return UNKNOWN;
}

struct text reader_text(const struct reader *reader, int column)
{
	int field = reader->field_of[column];
	return field < 0 ? TEXT("") : reader->fields[field];
}

bool reader_is_of_image(struct reader *reader)
{
	return text_is(reader_text(reader, EXIT_source), "self") && reader_number(reader, EXIT_exact) == 0 &&
	       !number_known(reader_number(reader, EXIT_exit_code)) &&
	       !number_known(reader_number(reader, EXIT_children_left)) &&
	       !(reader_number(reader, EXIT_children_ignored) == 0);
}
