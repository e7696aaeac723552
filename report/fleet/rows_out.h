/* A table's file as rows for other programs, with all columns of the file, also unknown ones; one row at a time is in
 * memory. */
#ifndef RTRACK_REPORT_FLEET_ROWS_OUT_H
#define RTRACK_REPORT_FLEET_ROWS_OUT_H

#include "report/spool/reader.h"

#include <zlib.h>

struct rows_out {
	struct reader reader;
	bool open;
	char *names[READER_FIELDS_MAX]; /* of the header; NULL: not written */
	bool known[READER_FIELDS_MAX];  /* some row has a figure */
	char *last[READER_FIELDS_MAX];  /* what the predecessor is given for an unknown cell */
	int order[READER_FIELDS_MAX];   /* the timestamp first */
	int count;
	size_t rows;
};

/* Opens a table and reads it once. A table that cannot be read has no columns. Returns 0; or -1 with errno when there
 * is no memory. */
int rows_out_open(struct rows_out *rows, const char *directory, enum table_id id);
void rows_out_close(struct rows_out *rows);
bool rows_out_next(struct rows_out *rows);

/* Writes a JSON array of objects. Unknown cells are null. For the predecessor, which knows only numbers, they are 0 in
 * a counter and the last value in a gauge; a column without any figure is 0 throughout where the predecessor has it,
 * and else left out. */
void rows_out_json(struct rows_out *rows, gzFile out, bool predecessor);

/* Whether the predecessor has this column in its table. */
bool rows_out_is_predecessors(enum table_id id, int column);

/* Writes the cells of the header or of the current row with commas between them. `prefix` goes before each name but the
 * timestamp's, which is left out unless `time`. */
void rows_out_csv_header(const struct rows_out *rows, gzFile out, const char *prefix, bool time);
void rows_out_csv(const struct rows_out *rows, gzFile out, bool time);

/* Writes a text as a cell of a CSV, which no spreadsheet takes for a formula. */
void rows_out_csv_text(gzFile out, struct text text);

/* Writes a JSON string; bytes that are no UTF-8 become U+FFFD, characters that a terminal would obey \uXXXX. */
void rows_out_text(gzFile out, struct text text);

#endif
