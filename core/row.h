/* SPDX-License-Identifier: Apache-2.0 */
/* CSV rows: one writer and one reader for all programs.
 *
 * The dialect (docs/spool.md) has a quoted header line, bare numbers with '.', and '\n' after each row. Texts are
 * quoted as in RFC 4180, with '"' doubled. An unknown figure is an empty cell. A control character in a text is written
 * as a space. A row is therefore always one line, and a torn row damages only itself. Bytes above 127 are copied
 * unchanged. */
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

/* Sets every cell of a row to unknown. Unknown cells are written empty. */
void row_begin(struct cell *cells, const struct table *table);

/* Appends the header line of `table`. */
void row_write_header(struct buffer *out, const struct table *table);

/* Appends one row of `table`; `cells` has table->count entries. On overflow, out->full is set and the row must not be
 * written to a file. */
void row_write(struct buffer *out, const struct table *table, const struct cell *cells);

/* Splits one line without its '\n' into at most `capacity` fields; drops a trailing '\r'. Unquotes fields in place, so
 * it modifies `line`. Returns the number of fields, which may exceed `capacity`. Returns -1 if the line is torn: a
 * quote is unterminated, or followed by anything but a comma. */
int row_split(char *line, size_t length, struct text *fields, int capacity);

#endif
