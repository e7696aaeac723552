/* SPDX-License-Identifier: Apache-2.0 */
/* Builds a flame graph of code lines. */
#include "report/model/flame.h"

#include "core/number.h"
#include "report/model/label.h"
#include "report/say/array.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Orders processes by pid. Processes with the same pid stay in order. */
static int by_pid(const void *first, const void *second)
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
	array_sort_pointers(programs->items, programs->count, by_pid);
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

struct flame_stack flame_stack_of(const char *program, double pid, const struct code_line *line)
{
	const char *file = *line->file ? line->file : NULL;
	struct flame_stack stack = {1, {{.program = program, .pid = pid, .line = UNKNOWN}}};

	if (file)
		stack.frames[stack.count++] = (struct flame_frame){.pid = UNKNOWN, .file = file, .line = UNKNOWN};
	if (file && number_known(line->line))
		stack.frames[stack.count++] = (struct flame_frame){.pid = UNKNOWN, .file = file, .line = line->line};
	stack.frames[stack.count++] =
		(struct flame_frame){.pid = UNKNOWN, .file = file, .line = UNKNOWN, .function = line->function};
	return stack;
}

size_t flame_frames(
	const char *program, double pid, const struct code_line *line, struct flame_frame frames[FLAME_FRAMES_MAX])
{
	struct flame_stack stack = flame_stack_of(program, pid, line);
	size_t count = 0;

	if (!line->stack || *line->file == '\0') {
		memcpy(frames, stack.frames, stack.count * sizeof *frames);
		return stack.count;
	}
	frames[count++] = stack.frames[0];
	for (size_t i = 0; i < line->stack->count; i++) {
		const struct code_frame *frame = &line->stack->frames[i];
		frames[count++] = (struct flame_frame){.pid = UNKNOWN,
			.file = *frame->file ? frame->file : NULL,
			.line = frame->line,
			.function = frame->function,
			.called = true};
	}
	return count;
}

bool flame_is_same(const struct flame_frame *a, const struct flame_frame *b)
{
	bool programs = a->program == b->program || (a->program && b->program && strcmp(a->program, b->program) == 0);

	return programs && known_first(a->pid, -1) == known_first(b->pid, -1) && a->file == b->file &&
	       known_first(a->line, -1) == known_first(b->line, -1) && a->function == b->function &&
	       a->called == b->called;
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

/* -- the graph --------------------------------------------------------------------------------------- */

struct leaf {
	const char *program;
	const struct code_line *line;
};

/* Orders leaves so that equal frames are adjacent at every depth. */
static int by_stack(const void *first, const void *second)
{
	const struct leaf *a = first, *b = second;
	int order = strcmp(a->program, b->program);
	double lines[] = {known_first(a->line->line, -1), known_first(b->line->line, -1)};

	if (order == 0)
		order = strcmp(a->line->file, b->line->file);
	if (order == 0)
		order = ORDER(lines[0], lines[1]);
	return order != 0 ? order : strcmp(a->line->function, b->line->function);
}

static int by_cpu(const void *first, const void *second)
{
	const struct flame_node *a = first, *b = second;
	int order = ORDER(b->sum.cpu_seconds, a->sum.cpu_seconds);

	return order != 0 ? order : ORDER(a->from, b->from);
}

/* Adds one node for each different frame that the leaves [from, to) have at `depth`. */
static void add_nodes(
	struct flame *flame, const struct leaf *leaves, size_t from, size_t to, size_t depth, double begin)
{
	size_t first = flame->count;

	for (size_t i = from; i < to; i++) {
		struct flame_stack stack = flame_stack_of(leaves[i].program, UNKNOWN, leaves[i].line);
		struct flame_node *last = flame->count > first ? &flame->nodes[flame->count - 1] : NULL;
		if (depth >= stack.count)
			continue;
		if (!last || !flame_is_same(&last->frame, &stack.frames[depth])) {
			array_grow(&flame->nodes, flame->count, sizeof *flame->nodes);
			last = &flame->nodes[flame->count++];
			*last = (struct flame_node){.frame = stack.frames[depth], .depth = depth, .from = i};
		}
		code_line_add(&last->sum, leaves[i].line);
		last->to = i + 1;
	}
	array_sort(flame->nodes + first, flame->count - first, by_cpu);
	for (size_t i = first; i < flame->count; i++) {
		flame->nodes[i].begin = begin;
		begin += flame->nodes[i].sum.cpu_seconds;
	}
}

/* Lists the rows that have CPU time. The rows of a process are adjacent, so flame_program is called only once for
 * each process. */
static size_t list_leaves(struct leaf *leaves, const struct model *model)
{
	const struct code_rows *rows = &model->code.rows;
	struct flame_programs programs;
	const char *program = "";
	size_t count = 0;

	flame_programs_sort(&programs, model);
	for (size_t i = 0; i < rows->count; i++) {
		if (i == 0 || rows->items[i].pid != rows->items[i - 1].pid)
			program = flame_program(&programs, rows->items[i].pid);
		if (rows->items[i].line.cpu_seconds > 0)
			leaves[count++] = (struct leaf){program, &rows->items[i].line};
	}
	flame_programs_free(&programs);
	array_sort(leaves, count, by_stack);
	return count;
}

void flame_make(struct flame *flame, const struct model *model)
{
	struct leaf *leaves = xcalloc(model->code.rows.count, sizeof *leaves);

	*flame = (struct flame){0};
	add_nodes(flame, leaves, 0, list_leaves(leaves, model), 0, 0);
	for (size_t i = 0; i < flame->count && flame->nodes[i].depth == 0; i++)
		flame->cpu_seconds += flame->nodes[i].sum.cpu_seconds;
	for (size_t i = 0; i < flame->count; i++) {
		struct flame_node above = flame->nodes[i];
		add_nodes(flame, leaves, above.from, above.to, above.depth + 1, above.begin);
	}
	free(leaves);
}

void flame_free(struct flame *flame)
{
	free(flame->nodes);
	*flame = (struct flame){0};
}
