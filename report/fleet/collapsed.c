/* SPDX-License-Identifier: Apache-2.0 */
/* Writes call stacks in the collapsed format. */
#include "report/fleet/collapsed.h"

#include "core/number.h"
#include "report/model/flame.h"
#include "report/say/array.h"
#include "report/say/utf8.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double MICROSECONDS = 1e6;

struct leaf {
	const char *program;
	const struct code_line *line;
	double cpu_seconds;
};

/* Orders leaves so that those with equal frames are adjacent. */
static int by_frames(const void *first, const void *second)
{
	const struct leaf *a = first, *b = second;
	double ids[] = {a->line->stack ? a->line->stack->id : -1, b->line->stack ? b->line->stack->id : -1};
	double lines[] = {known_first(a->line->line, -1), known_first(b->line->line, -1)};
	int order = strcmp(a->program, b->program);

	if (order == 0)
		order = ORDER(ids[0], ids[1]);
	if (order == 0)
		order = strcmp(a->line->file, b->line->file);
	if (order == 0)
		order = ORDER(lines[0], lines[1]);
	return order != 0 ? order : strcmp(a->line->function, b->line->function);
}

/* Returns one leaf for each stack. The caller frees the array. */
static struct leaf *list_leaves(const struct model *model, size_t *count)
{
	const struct code_rows *rows = &model->code.rows;
	struct leaf *leaves = xcalloc(rows->count, sizeof *leaves);
	struct flame_programs programs;
	const char *program = "";
	size_t all = 0;

	flame_programs_sort(&programs, model);
	for (size_t i = 0; i < rows->count; i++) {
		if (i == 0 || rows->items[i].pid != rows->items[i - 1].pid)
			program = flame_program(&programs, rows->items[i].pid);
		if (rows->items[i].line.cpu_seconds > 0)
			leaves[all++] = (struct leaf){program, &rows->items[i].line, rows->items[i].line.cpu_seconds};
	}
	flame_programs_free(&programs);
	array_sort(leaves, all, by_frames);
	*count = 0;
	for (size_t i = 0; i < all; i++)
		if (*count > 0 && by_frames(&leaves[*count - 1], &leaves[i]) == 0)
			leaves[*count - 1].cpu_seconds += leaves[i].cpu_seconds;
		else
			leaves[(*count)++] = leaves[i];
	return leaves;
}

/* Writes the name of a frame. Semicolons in the name are replaced, because a semicolon separates two frames. Control
 * characters are escaped, as on a terminal. */
static void write_frame(gzFile out, const struct flame_frame *frame)
{
	char name[CODE_NAME_SIZE], text[2 * CODE_NAME_SIZE];
	const char *slash = frame->file ? strrchr(frame->file, '/') : NULL, *file = slash ? slash + 1 : frame->file;

	(void)flame_name(frame, name);
	if (frame->called && file && number_known(frame->line))
		snprintf(text, sizeof text, "%s (%.200s:%.0f)", name, file, frame->line);
	else if (frame->called && file)
		snprintf(text, sizeof text, "%s (%.200s)", name, file);
	else
		snprintf(text, sizeof text, "%s", name);
	struct text all = text_of(text);
	for (size_t at = 0; at < all.length;) {
		struct utf8_shown shown = utf8_show(all, at, false);
		gzputs(out, shown.code == ';' ? "," : shown.text);
		at += shown.length;
	}
}

void collapsed_write(gzFile out, const struct run *run)
{
	struct flame_frame frames[FLAME_FRAMES_MAX];
	struct model model;
	size_t count;

	model_read(&model, run, &(struct model_wish){.sections = MODEL_LINES});
	struct leaf *leaves = list_leaves(&model, &count);
	for (size_t i = 0; i < count; i++) {
		size_t depth = flame_frames(leaves[i].program, UNKNOWN, leaves[i].line, frames);
		double weight = round(leaves[i].cpu_seconds * MICROSECONDS);
		for (size_t j = 0; j < depth && weight >= 1; j++) {
			gzputs(out, j > 0 ? ";" : "");
			write_frame(out, &frames[j]);
		}
		if (weight >= 1)
			gzprintf(out, " %.0f\n", weight);
	}
	free(leaves);
	model_free(&model);
}
