/* Rows of CSV: one writer for all programs, one reader for all programs.
 *
 * The dialect (docs/spool.md): a quoted header line; numbers bare with '.'; texts quoted after
 * RFC 4180, a '"' doubled; '\n' after each row; an unknown figure is an empty cell. Control bytes in a
 * text are written as spaces, so that a row is always one line and a torn row harms nothing but
 * itself. Bytes above 127 pass through as they are. */
#ifndef RTRACK_CORE_ROW_H
#define RTRACK_CORE_ROW_H

#include "core/columns.h"
#include "core/number.h"

/* One cell: `text` for KIND_TEXT columns, `number` for all others. */
struct cell {
	double number;
	struct text text;
};

#define CELL_NUMBER(value) ((struct cell){.number = (value)})
#define CELL_TEXT(value) ((struct cell){.number = UNKNOWN, .text = (value)})

/* Makes every cell of a row unknown. A cell that is not filled is empty. */
void row_begin(struct cell *cells, const struct table *table);

/* Appends the header line of `table`. */
void row_write_header(struct buffer *out, const struct table *table);

/* Appends one row of `table`; `cells` has table->count entries. On overflow out->full is set and the
 * row must not be written to a file. */
void row_write(struct buffer *out, const struct table *table, const struct cell *cells);

/* Splits one line (without its '\n'; a '\r' before it is dropped) into at most `capacity` fields and
 * returns how many there are, which may be more than `capacity`. Quoted fields are unquoted in place,
 * so `line` is written to, and the fields point into it. Returns -1 when a quote is left open or is
 * followed by anything but a comma: the line is torn. */
int row_split(char *line, size_t length, struct text *fields, int capacity);

#endif
