/* SPDX-License-Identifier: Apache-2.0 */
/* Makes the frames of call stacks. */
#include "report/model/flame.h"

#include "core/number.h"
#include "report/model/label.h"
#include "report/say/array.h"
#include "report/say/hash.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Orders processes by pid, and processes with the same pid by their first record. */
static int by_pid_then_record(const void *first, const void *second)
{
	const struct process *a = *(const struct process *const *)first, *b = *(const struct process *const *)second;
	int order = ORDER(a->id.pid, b->id.pid);

	return order != 0 ? order : ORDER(a, b);
}

void flame_programs_sort(struct flame_programs *programs, const struct model *model)
{
	const struct processes *processes = &model->processes;

	*programs = (struct flame_programs){xcalloc(processes->count, sizeof(struct process *)), processes->count};
	for (size_t i = 0; i < processes->count; i++)
		programs->items[i] = &processes->items[i];
	array_sort_pointers(programs->items, programs->count, by_pid_then_record);
}

void flame_programs_free(struct flame_programs *programs)
{
	free(programs->items);
	*programs = (struct flame_programs){0};
}

const char *flame_program(const struct flame_programs *programs, double pid)
{
	size_t from = 0, to = programs->count;

	while (from < to) {
		size_t middle = from + (to - from) / 2;
		if (programs->items[middle]->id.pid <= pid)
			from = middle + 1;
		else
			to = middle;
	}
	bool found = from > 0 && programs->items[from - 1]->id.pid == pid;
	return found ? process_program(programs->items[from - 1]) : "a program";
}

size_t flame_frames(
	const char *program, double pid, const struct code_line *line, struct flame_frame frames[FLAME_FRAMES_MAX])
{
	const char *file = *line->file ? line->file : NULL;
	size_t count = 0;

	frames[count++] = (struct flame_frame){.program = program, .pid = pid, .line = UNKNOWN};
	for (size_t i = 0; file && line->stack && i < line->stack->count; i++) {
		const struct code_frame *frame = &line->stack->frames[i];
		frames[count++] = (struct flame_frame){.pid = UNKNOWN,
			.file = *frame->file ? frame->file : NULL,
			.line = frame->line,
			.function = frame->function,
			.called = true,
			.own = frame->own};
	}
	if (count > 1)
		return count;
	if (file)
		frames[count++] = (struct flame_frame){.pid = UNKNOWN, .file = file, .line = UNKNOWN};
	if (file && number_known(line->line))
		frames[count++] = (struct flame_frame){.pid = UNKNOWN, .file = file, .line = line->line};
	frames[count++] =
		(struct flame_frame){.pid = UNKNOWN, .file = file, .line = UNKNOWN, .function = line->function};
	return count;
}

bool flame_is_same(const struct flame_frame *a, const struct flame_frame *b)
{
	bool programs = a->program == b->program || (a->program && b->program && strcmp(a->program, b->program) == 0);

	return programs && known_first(a->pid, -1) == known_first(b->pid, -1) && a->file == b->file &&
	       known_first(a->line, -1) == known_first(b->line, -1) && a->function == b->function &&
	       a->called == b->called;
}

/* Returns the slot of a frame. If the set does not contain the frame, returns the free slot for it. */
static size_t *find_slot(const struct flame_set *set, size_t caller, const struct flame_frame *frame)
{
	const struct {
		double caller, pid, line;
		const char *file, *function;
	} key = {(double)caller, known_first(frame->pid, -1), known_first(frame->line, -1), frame->file,
		frame->function};
	uint64_t hash = hash_fnv1a(HASH_FNV1A, (struct text){(const char *)&key, sizeof key});
	size_t mask = set->slot_count - 1;

	if (frame->program)
		hash = hash_fnv1a(hash, text_of(frame->program));
	size_t at = (size_t)hash & mask;
	while (set->slots[at] != 0 && (set->items[set->slots[at] - 1].caller != caller ||
					      !flame_is_same(&set->items[set->slots[at] - 1].frame, frame)))
		at = (at + 1) & mask;
	return &set->slots[at];
}

static void widen(struct flame_set *set)
{
	free(set->slots);
	set->slot_count = set->slot_count == 0 ? 64 : 2 * set->slot_count;
	set->slots = xcalloc(set->slot_count, sizeof *set->slots);
	for (size_t i = 0; i < set->count; i++)
		*find_slot(set, set->items[i].caller, &set->items[i].frame) = i + 1;
}

size_t flame_set_add(struct flame_set *set, size_t caller, const struct flame_frame *frame)
{
	if (2 * set->count >= set->slot_count)
		widen(set);
	size_t *slot = find_slot(set, caller, frame);
	if (*slot == 0) {
		array_grow(&set->items, set->count, sizeof *set->items);
		set->items[set->count] = (struct flame_item){*frame, caller};
		*slot = ++set->count;
	}
	return *slot - 1;
}

void flame_set_free(struct flame_set *set)
{
	free(set->items);
	free(set->slots);
	*set = (struct flame_set){0};
}

const char *flame_name(const struct flame_frame *frame, char name[CODE_NAME_SIZE])
{
	const char *slash = frame->file ? strrchr(frame->file, '/') : NULL, *base = slash ? slash + 1 : frame->file;

	if (number_known(frame->pid))
		snprintf(name, CODE_NAME_SIZE, "%.200s (process %.0f)", frame->program, frame->pid);
	else if (frame->program)
		snprintf(name, CODE_NAME_SIZE, "%.200s", frame->program);
	else if (frame->function)
		snprintf(name, CODE_NAME_SIZE, frame->file || frame->called ? "%.200s" : "(%.200s)", frame->function);
	else if (number_known(frame->line))
		snprintf(name, CODE_NAME_SIZE, "%.200s:%.0f", base, frame->line);
	else
		snprintf(name, CODE_NAME_SIZE, "%.200s", base);
	return name;
}
