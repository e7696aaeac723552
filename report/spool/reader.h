/* SPDX-License-Identifier: Apache-2.0 */
/* The rows of one table's file, one after another; series and processes read through this.
 *
 * Columns are found by the names in the header. A line is a row when it has as many cells as the header and a
 * timestamp, and in member.csv, start.csv, exit.csv and line.csv a pid; any other line is left out. A cell that is no
 * finite number is unknown. Both are reported once a file, when it is closed, with the number of the first such line.
 */
#ifndef RTRACK_REPORT_SPOOL_READER_H
#define RTRACK_REPORT_SPOOL_READER_H

#include "core/columns.h"
#include "report/spool/lines.h"

enum { READER_FIELDS_MAX = 256 };

struct reader {
	const struct table *table;
	uint64_t present; /* a bit for each column of the table that the file has */
	uint64_t left_out;
	char *path;
	struct lines lines;
	struct line line;
	struct text fields[READER_FIELDS_MAX];
	int field_of[COLUMNS_MAX]; /* by the table's positions; -1: not in the file */
	int field_count;           /* of the header */
	int pid_column;            /* in which every row has a pid, or 0 if rows need none */
	uint64_t first_left_out;   /* line numbers; 0: none */
	uint64_t first_torn;
	uint64_t first_bad_cell;
	uint64_t bad_cells;
	bool quiet; /* report nothing: the file was read before */
};

/* Opens a table of the run in `directory` and reads its header. Returns 0; or -1 with errno, after a message unless
 * there is no such file (ENOENT). */
int reader_open(struct reader *reader, const char *directory, enum table_id table);

/* Reports what was left out, and closes. */
void reader_close(struct reader *reader);

/* Goes to the next row; false at the end of the file. */
bool reader_next(struct reader *reader);

/* Calls take(context, reader) for each row of a table of the run in `directory`. A table that cannot be read has no
 * rows, after a message. */
void reader_all(
	const char *directory, enum table_id table, void (*take)(void *context, struct reader *reader), void *context);

/* A cell of the current row: UNKNOWN or empty when the file has no such column. A text stays until the next row is
 * read. */
double reader_number(struct reader *reader, int column);
struct text reader_text(const struct reader *reader, int column);

/* Whether a row of exit.csv is of an image that exec has replaced: the process went on. */
bool reader_is_of_image(struct reader *reader);

#endif
