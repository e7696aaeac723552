/* Rows of many runs in one file; see rows.h. */
#define _GNU_SOURCE
#include "report/fleet/rows.h"

#include "report/say/utf8.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { CELLS_MAX = 256, LINE_MAX_SIZE = 1 << 20 /* engines have a limit; no line of ours is a hundredth of it */ };

/* The content of one file, with a NUL behind it; the memory serves the next one. */
struct content {
	char *data;
	size_t length;
	size_t capacity;
};

struct rows {
	FILE *out;
	const struct table *table;
	const char *run;
	struct content content;
	struct text cells[CELLS_MAX];
	int cell_of[COLUMNS_MAX]; /* by the table's positions; -1: not in the file */
	bool as_it_stands;        /* the file has the table's columns in their order */
	bool escaped;             /* not all of the file is text */
};

/* -- reading --------------------------------------------------------------------------------------- */

static int reserve(struct content *content, size_t capacity)
{
	if (capacity <= content->capacity)
		return 0;
	char *data = realloc(content->data, capacity);
	if (!data)
		return -1;
	content->data = data;
	content->capacity = capacity;
	return 0;
}

static int read_file(struct content *content, int file)
{
	struct stat status;

	content->length = 0;
	if (fstat(file, &status) != 0 || reserve(content, (size_t)status.st_size + 2) != 0)
		return -1;
	for (;;) {
		ssize_t got = read(file, content->data + content->length, content->capacity - content->length - 1);
		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			return -1;
		if (got == 0)
			break;
		content->length += (size_t)got;
		if (content->length + 1 == content->capacity && reserve(content, content->capacity * 2) != 0)
			return -1;
	}
	content->data[content->length] = '\0';
	return 0;
}

/* 1: it was read; 0: there is none; -1 with errno. */
static int read_table(struct content *content, const struct run_source *source, const char *run, size_t table)
{
	char *path;

	if (asprintf(&path, "%s/%s/%s", source->path, run, view_file(table)) < 0)
		return -1;
	int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	free(path);
	if (file < 0)
		return errno == ENOENT ? 0 : -1;
	int result = read_file(content, file) == 0 ? 1 : -1;
	int error = errno;
	close(file);
	errno = error;
	return result;
}

static bool is_text(const struct content *content)
{
	unsigned char all = 0;
	uint32_t code;

	for (size_t i = 0; i < content->length; i++)
		all |= (unsigned char)content->data[i];
	if (memchr(content->data, '\0', content->length))
		return false;
	for (size_t i = 0; all >= 0x80 && i < content->length;) {
		size_t length = utf8_decode(content->data + i, &code);
		if (length == 0)
			return false;
		i += length;
	}
	return true;
}

/* -- cells ----------------------------------------------------------------------------------------- */

/* The length of the cell at `data`: one between quotes, where a comma or the end follows, or else up to the next comma.
 */
static size_t cell_length(const char *data, size_t length)
{
	if (length > 0 && data[0] == '"') {
		for (size_t i = 1; i < length; i++) {
			if (data[i] != '"')
				continue;
			if (i + 1 < length && data[i + 1] == '"')
				i++;
			else if (i + 1 == length || data[i + 1] == ',')
				return i + 1;
			else
				break;
		}
	}
	const char *comma = memchr(data, ',', length);
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

static void take_header(struct rows *rows, struct text line)
{
	char quoted[128];
	int count = split(rows, line);

	rows->as_it_stands = (size_t)count == rows->table->count;
	for (size_t column = 0; column < rows->table->count; column++) {
		int length =
			snprintf(quoted, sizeof quoted, "\"%s\"", column_name(&table_columns(rows->table)[column]));
		rows->cell_of[column] = -1;
		for (int i = 0; i < count && rows->cell_of[column] < 0; i++)
			if (rows->cells[i].length == (size_t)length &&
				memcmp(rows->cells[i].data, quoted, (size_t)length) == 0)
				rows->cell_of[column] = i;
		rows->as_it_stands &= rows->cell_of[column] == (int)column;
	}
}

/* -- writing --------------------------------------------------------------------------------------- */

static void write_byte_of(struct rows *rows, char byte)
{
	if (rows->escaped && ((unsigned char)byte >= 0x80 || byte == '\0'))
		fprintf(rows->out, "\\x%02X", (unsigned char)byte);
	else
		putc_unlocked(byte, rows->out);
}

/* A cell with a quote that none ends is a text as it stands. */
static void write_cell(struct rows *rows, struct text cell)
{
	bool whole = cell.length >= 2 && cell.data[0] == '"' && cell_length(cell.data, cell.length) == cell.length &&
		     cell.data[cell.length - 1] == '"';
	bool quote = !whole && (memchr(cell.data, '"', cell.length) || memchr(cell.data, '\r', cell.length));

	if (quote)
		putc_unlocked('"', rows->out);
	for (size_t i = 0; i < cell.length; i++) {
		if (quote && cell.data[i] == '"')
			putc_unlocked('"', rows->out);
		write_byte_of(rows, cell.data[i]);
	}
	if (quote)
		putc_unlocked('"', rows->out);
}

static bool is_plain(const struct rows *rows, struct text line)
{
	size_t commas = 0;

	if (!rows->as_it_stands || rows->escaped)
		return false;
	for (size_t i = 0; i < line.length; i++) {
		if (line.data[i] == '"' || line.data[i] == '\r')
			return false;
		commas += line.data[i] == ',';
	}
	return commas + 1 == rows->table->count;
}

static void write_line(struct rows *rows, struct text line)
{
	putc_unlocked('"', rows->out);
	for (const char *at = rows->run; *at; at++) {
		if (*at == '"')
			putc_unlocked('"', rows->out);
		putc_unlocked(*at, rows->out);
	}
	putc_unlocked('"', rows->out);
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

/* A last line without an end is none. */
static void write_run(struct rows *rows)
{
	const char *at = rows->content.data, *end;
	bool header = true;

	rows->escaped = !is_text(&rows->content);
	for (; (end = memchr(at, '\n', rows->content.length - (size_t)(at - rows->content.data))); at = end + 1) {
		struct text line = {at, (size_t)(end - at)};
		if (header)
			take_header(rows, line);
		else if (line.length < LINE_MAX_SIZE)
			write_line(rows, line);
		header = false;
	}
}

int rows_write(const struct run_source *source, size_t table, const char *directory)
{
	struct rows rows = {.table = &tables[table]};
	char *path;
	int result = 0;

	if (asprintf(&path, "%s/" ROWS_PREFIX "%s", directory, view_name(table)) < 0)
		return -1;
	rows.out = fopen(path, "we");
	free(path);
	if (!rows.out)
		return -1;
	for (size_t i = 0; result >= 0 && i < source->chosen_count; i++) {
		rows.run = source->chosen[i];
		result = read_table(&rows.content, source, rows.run, table);
		if (result > 0)
			write_run(&rows);
	}
	free(rows.content.data);
	int error = result < 0 ? errno : EIO;
	bool written = !ferror(rows.out);
	if (fclose(rows.out) == 0 && written && result >= 0)
		return 0;
	errno = error;
	return -1;
}
