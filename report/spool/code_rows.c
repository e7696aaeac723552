/* SPDX-License-Identifier: Apache-2.0 */
/* Reads line.csv. Most rows repeat the same few file and function names, so each string is stored only once. */
#include "report/spool/code_rows.h"

#include "core/number.h"
#include "report/say/array.h"
#include "report/say/hash.h"
#include "report/spool/reader.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* Returns the slot that contains the string. If the table does not contain it, returns the free slot for it. */
static char **find_text(char **texts, size_t room, struct text text)
{
	size_t at = (size_t)hash_fnv1a(HASH_FNV1A, text) & (room - 1);

	while (texts[at] && !text_equal(text_of(texts[at]), text))
		at = (at + 1) & (room - 1);
	return &texts[at];
}

static void widen(struct code_rows *rows)
{
	size_t room = rows->text_room == 0 ? 64 : 2 * rows->text_room;
	char **texts = xcalloc(room, sizeof *texts);

	for (size_t i = 0; i < rows->text_room; i++)
		if (rows->texts[i])
			*find_text(texts, room, text_of(rows->texts[i])) = rows->texts[i];
	free(rows->texts);
	rows->texts = texts;
	rows->text_room = room;
}

static const char *keep(struct code_rows *rows, struct text text)
{
	if (2 * rows->text_count >= rows->text_room)
		widen(rows);
	char **slot = find_text(rows->texts, rows->text_room, text);
	if (!*slot) {
		*slot = xstrndup(text.length > 0 ? text.data : "", text.length);
		rows->text_count++;
	}
	return *slot;
}

static void take_row(void *context, struct reader *reader)
{
	struct code_rows *rows = context;

	array_grow(&rows->items, rows->count, sizeof *rows->items);
	rows->items[rows->count] = (struct code_row){.position = rows->count,
		.time = reader_number(reader, LINE_timestamp),
		.pid = reader_number(reader, LINE_pid),
		.line = {.language = keep(rows, reader_text(reader, LINE_language)),
			.file = keep(rows, reader_text(reader, LINE_file)),
			.line = reader_number(reader, LINE_line),
			.function = keep(rows, reader_text(reader, LINE_function)),
			.samples = known_first(reader_number(reader, LINE_samples), 0),
			.samples_cut = known_first(reader_number(reader, LINE_samples_cut), 0),
			.seconds = known_first(reader_number(reader, LINE_seconds), 0),
			.cpu_seconds = known_first(reader_number(reader, LINE_cpu_seconds), 0),
			.memory_mib = reader_number(reader, LINE_memory_mib),
			.growth_mib = known_first(reader_number(reader, LINE_memory_growth_mib), 0)}};
	rows->count++;
}

void code_rows_add(struct code_rows *rows, const struct files *files)
{
	reader_all(files, TABLE_line, take_row, rows);
}

void code_rows_free(struct code_rows *rows)
{
	for (size_t i = 0; i < rows->text_room; i++)
		free(rows->texts[i]);
	free(rows->texts);
	free(rows->items);
	*rows = (struct code_rows){0};
}
