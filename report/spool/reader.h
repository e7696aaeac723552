/* SPDX-License-Identifier: Apache-2.0 */
/* Reads the rows of one table's file, for series and processes.
 *
 * Columns are found by the names in the header. A line is a row if it has as many cells as the header and a timestamp,
 * and in member.csv, start.csv, exit.csv and line.csv also a pid. Other lines are skipped. A cell that is not a finite
 * number is unknown. When a file is closed, skipped lines and unknown cells are each reported once, with the first line
 * number. If a file has many rows that are shorter than the rows of rtrack, only a part of it is read. */
#ifndef RTRACK_REPORT_SPOOL_READER_H
#define RTRACK_REPORT_SPOOL_READER_H

#include "core/columns.h"
#include "report/spool/files.h"
#include "report/spool/lines.h"

enum { READER_FIELDS_MAX = 256 };

struct reader {
	const struct table *table;
	uint64_t present; /* bit mask of the table's columns that exist in the file */
	uint64_t left_out;
	char *path;
	struct lines lines;
	struct line line;
	struct text fields[READER_FIELDS_MAX];
	/* for each column of the table, its position in the file, or -1 if the file lacks it */
	int field_of[COLUMNS_MAX];
	int field_count; /* number of fields in the header */
	int pid_column;  /* column of the table that has the pid, or 0 if the rows of this table need no pid */
	/* After BOUND_ROWS rows, reading ends if the mean length of a row is below row_bytes_min. A short row needs
	 * much more memory than its length. */
	size_t rows, row_bytes, row_bytes_min;
	bool too_short; /* reading ended for this reason */
	/* line numbers of the first skipped line, of a line without '\n', and of the first line with a bad cell; 0 if
	 * there is none */
	uint64_t first_left_out;
	uint64_t first_torn;
	uint64_t first_bad_cell;
	uint64_t bad_cells;
	bool quiet; /* do not report problems, because the file was read before */
};

/* Opens a table of a run and reads its header. Returns 0, or -1 with errno. Prints a message on failure, unless the
 * file does not exist (ENOENT). */
int reader_open(struct reader *reader, const struct files *files, enum table_id table);

/* Reports skipped lines and bad cells, and closes the file. */
void reader_close(struct reader *reader);

/* Reads the next row. Returns false at the end of the file. */
bool reader_next(struct reader *reader);

/* Calls take(context, reader) for each row of a table of a run. If the table cannot be read, prints a message and does
 * not call `take`. */
void reader_all(const struct files *files, enum table_id table, void (*take)(void *context, struct reader *reader),
	void *context);

/* Calls take(context, reader) for each row until `take` returns a number above 0, and returns that number. Returns 0 if
 * `take` never does, or -1 if the table cannot be read. Skipped lines are not reported. */
int reader_find(const struct files *files, enum table_id table, int (*take)(void *context, struct reader *reader),
	void *context);

/* Returns a cell of the current row. If the file lacks the column, the number is UNKNOWN and the text is empty. A text
 * is valid until the next row is read. */
double reader_number(struct reader *reader, int column);
struct text reader_text(const struct reader *reader, int column);

/* Returns whether the current row of exit.csv was written just before an exec. The process then continued with another
 * program. */
bool reader_is_of_image(struct reader *reader);

#endif
