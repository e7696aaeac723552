/* SPDX-License-Identifier: Apache-2.0 */
/* Reads line.csv and stack.csv. Most rows repeat the same few file and function names, so each string is stored only
 * once. */
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

const char *code_rows_text(struct code_rows *rows, struct text text)
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

/* Returns the slot of the stack. If the table does not contain it, returns the free slot for it. */
static struct code_stack **find_stack(struct code_stack **stacks, size_t room, double id)
{
	size_t at = (size_t)hash_fnv1a(HASH_FNV1A, (struct text){(const char *)&id, sizeof id}) & (room - 1);

	while (stacks[at] && stacks[at]->id != id)
		at = (at + 1) & (room - 1);
	return &stacks[at];
}

static void widen_stacks(struct code_rows *rows)
{
	size_t room = rows->stack_room == 0 ? 64 : 2 * rows->stack_room;
	struct code_stack **stacks = xcalloc(room, sizeof(struct code_stack *));

	for (size_t i = 0; i < rows->stack_room; i++)
		if (rows->stacks[i])
			*find_stack(stacks, room, rows->stacks[i]->id) = rows->stacks[i];
	free(rows->stacks);
	rows->stacks = stacks;
	rows->stack_room = room;
}

/* Adds a frame to its stack. Ignores the frame if its depth is not the next depth of the stack: the frame was then read
 * before, or the row of the previous frame is missing. */
static void take_frame(void *context, struct reader *reader)
{
	struct code_rows *rows = context;
	double id = reader_number(reader, STACK_stack);

	if (!number_known(id))
		return;
	if (2 * rows->stack_count >= rows->stack_room)
		widen_stacks(rows);
	struct code_stack **slot = find_stack(rows->stacks, rows->stack_room, id);
	if (!*slot) {
		*slot = xcalloc(1, sizeof **slot);
		**slot = (struct code_stack){.id = id, .number = rows->stack_count++};
	}
	struct code_stack *stack = *slot;
	if (reader_number(reader, STACK_depth) != (double)stack->count || stack->count == CODE_FRAMES_MAX)
		return;
	array_grow(&stack->frames, stack->count, sizeof *stack->frames);
	stack->frames[stack->count++] =
		(struct code_frame){.file = code_rows_text(rows, reader_text(reader, STACK_file)),
			.line = reader_number(reader, STACK_line),
			.function = code_rows_text(rows, reader_text(reader, STACK_function)),
			.own = reader_number(reader, STACK_own) == 1};
}

/* Returns the stack of a row of line.csv, or NULL if the row has none or if it has no frames. */
static struct code_stack *stack_of(const struct code_rows *rows, double id)
{
	enum { STACK_OTHER = 1 }; /* all stacks beyond the maximum number, so its frames are unknown */
	bool known = number_known(id) && id != STACK_OTHER && rows->stack_room > 0;
	struct code_stack *stack = known ? *find_stack(rows->stacks, rows->stack_room, id) : NULL;

	return stack && stack->count > 0 ? stack : NULL;
}

static void take_row(void *context, struct reader *reader)
{
	struct code_rows *rows = context;

	array_grow(&rows->items, rows->count, sizeof *rows->items);
	rows->items[rows->count] = (struct code_row){.position = rows->count,
		.time = reader_number(reader, LINE_timestamp),
		.pid = reader_number(reader, LINE_pid),
		.line = {.language = code_rows_text(rows, reader_text(reader, LINE_language)),
			.file = code_rows_text(rows, reader_text(reader, LINE_file)),
			.line = reader_number(reader, LINE_line),
			.function = code_rows_text(rows, reader_text(reader, LINE_function)),
			.samples = known_first(reader_number(reader, LINE_samples), 0),
			.samples_cut = known_first(reader_number(reader, LINE_samples_cut), 0),
			.seconds = known_first(reader_number(reader, LINE_seconds), 0),
			.cpu_seconds = known_first(reader_number(reader, LINE_cpu_seconds), 0),
			.memory_mib = reader_number(reader, LINE_memory_mib),
			.growth_mib = known_first(reader_number(reader, LINE_memory_growth_mib), 0),
			.stack = stack_of(rows, reader_number(reader, LINE_stack))}};
	rows->count++;
}

void code_rows_add(struct code_rows *rows, const struct files *files)
{
	reader_all(files, TABLE_stack, take_frame, rows);
	reader_all(files, TABLE_line, take_row, rows);
}

void code_rows_free(struct code_rows *rows)
{
	for (size_t i = 0; i < rows->text_room; i++)
		free(rows->texts[i]);
	for (size_t i = 0; i < rows->stack_room; i++) {
		if (rows->stacks[i])
			free(rows->stacks[i]->frames);
		free(rows->stacks[i]);
	}
	free(rows->texts);
	free(rows->stacks);
	free(rows->items);
	*rows = (struct code_rows){0};
}
