/* SPDX-License-Identifier: Apache-2.0 */
/* Writes the rows of a table's file for other programs. All columns of the file are written, even columns that this
 * version of rtrack does not know. Only one row is in memory at a time. */
#ifndef RTRACK_REPORT_FLEET_ROWS_OUT_H
#define RTRACK_REPORT_FLEET_ROWS_OUT_H

#include "report/spool/reader.h"

#include <zlib.h>

struct rows_out {
	struct reader reader;
	bool open;
	char *names[READER_FIELDS_MAX]; /* column names, or NULL for columns that are not written */
	bool known[READER_FIELDS_MAX];  /* whether at least one row has a figure in the column */
	char *last[READER_FIELDS_MAX];  /* last value of each column, for snapshots of resource-tracker; or NULL */
	int order[READER_FIELDS_MAX];   /* order of the columns, beginning with the timestamp */
	int count;
	size_t rows;
};

/* Opens a table, and reads all of its rows to find the columns that have values. A table that cannot be read has no
 * columns. */
void rows_out_open(struct rows_out *rows, const struct files *files, enum table_id id);
void rows_out_close(struct rows_out *rows);

/* Writes a JSON array of objects; an unknown cell is null. The format of the predecessor (resource-tracker) has only
 * numbers: an unknown cell is 0 in a counter, and the previous value in a gauge. In that format, a column without any
 * value is all 0 if the predecessor has the column, and is omitted otherwise. */
void rows_out_json(struct rows_out *rows, gzFile out, bool predecessor);

/* Returns whether the predecessor's table has the column. */
bool rows_out_is_predecessors(enum table_id id, int column);

/* Writes CSV with system.csv and process.csv side by side: a header, then in each line row N of both tables, from row
 * `first` up to, but not including, row `last`. If only one table can be read, only that table is written. */
void rows_out_csv(gzFile out, const struct files *files, uint64_t first, uint64_t last);

/* Writes a text as a CSV cell that spreadsheets do not evaluate as a formula. */
void rows_out_csv_text(gzFile out, struct text text);

/* Writes a JSON string. Bytes that are not UTF-8 become U+FFFD, and control characters become \uXXXX. */
void rows_out_text(gzFile out, struct text text);

#endif
