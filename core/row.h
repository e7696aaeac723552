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

/* One cell. `text` is used for KIND_TEXT columns, `number` for all others. */
struct cell {
	double number;
	struct text text;
};

#define CELL_NUMBER(value) ((struct cell){.number = (value)})
#define CELL_TEXT(value) ((struct cell){.number = UNKNOWN, .text = (value)})

/* Sets every cell of a row to unknown. row_write writes an unknown cell as an empty one. */
void row_begin(struct cell *cells, const struct table *table);

/* Appends the header line of `table`. */
void row_write_header(struct buffer *out, const struct table *table);

/* Appends one row of `table`. `cells` must have table->count entries. If the row does not fit, out->full is set, and
 * the caller must not write the row to a file. */
void row_write(struct buffer *out, const struct table *table, const struct cell *cells);

/* Splits one line without its '\n' into at most `capacity` fields, and drops a trailing '\r'. Modifies `line`, because
 * fields are unquoted in place. Returns the number of fields, which may exceed `capacity`.
 *
 * Returns -1 if the line is torn: a quote is not closed, or the closing quote is followed by something other than a
 * comma. */
int row_split(char *line, size_t length, struct text *fields, int capacity);

#endif
