/* SPDX-License-Identifier: Apache-2.0 */
/* The CSV writer and reader. */
#include "core/row.h"

static void write_quoted(struct buffer *out, struct text text)
{
	buffer_byte(out, '"');
	for (size_t i = 0; i < text.length; i++) {
		unsigned char byte = (unsigned char)text.data[i];
		if (byte == '"')
			buffer_byte(out, '"');
		buffer_byte(out, byte < 0x20 || byte == 0x7f ? ' ' : (char)byte);
	}
	buffer_byte(out, '"');
}

void row_begin(struct cell *cells, const struct table *table)
{
	for (size_t i = 0; i < table->count; i++)
		cells[i] = CELL_NUMBER(UNKNOWN);
}

void row_write_header(struct buffer *out, const struct table *table)
{
	for (size_t i = 0; i < table->count; i++) {
		if (i > 0)
			buffer_byte(out, ',');
		write_quoted(out, text_of(column_name(&table_columns(table)[i])));
	}
	buffer_byte(out, '\n');
}

void row_write(struct buffer *out, const struct table *table, const struct cell *cells)
{
	for (size_t i = 0; i < table->count; i++) {
		if (i > 0)
			buffer_byte(out, ',');
		if (table_columns(table)[i].kind == KIND_TEXT)
			write_quoted(out, cells[i].text);
		else
			number_write(out, cells[i].number, table_columns(table)[i].digits);
	}
	buffer_byte(out, '\n');
}

/* Removes the quotes of the field that begins at line[*at], and sets *at to the byte after the closing quote. */
static int unquote(char *line, size_t length, size_t *at, struct text *field)
{
	size_t to = *at;
	size_t from = *at + 1;
	field->data = line + to;
	while (from < length) {
		if (line[from] != '"') {
			line[to++] = line[from++];
		} else if (from + 1 < length && line[from + 1] == '"') {
			line[to++] = '"';
			from += 2;
		} else {
			field->length = (size_t)(line + to - field->data);
			*at = from + 1;
			return 0;
		}
	}
	return -1;
}

int row_split(char *line, size_t length, struct text *fields, int capacity)
{
	int count = 0;
	size_t at = 0;
	if (length > 0 && line[length - 1] == '\r')
		length--;
	for (;;) {
		struct text field;
		if (at < length && line[at] == '"') {
			if (unquote(line, length, &at, &field) != 0)
				return -1;
			if (at < length && line[at] != ',')
				return -1;
		} else {
			size_t start = at;
			while (at < length && line[at] != ',')
				at++;
			field = (struct text){line + start, at - start};
		}
		if (count < capacity)
			fields[count] = field;
		count++;
		if (at >= length)
			return count;
		at++;
	}
}
