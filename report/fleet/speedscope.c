/* SPDX-License-Identifier: Apache-2.0 */
/* Writes the rows of line.csv with their call stacks in the format of speedscope. A file of this format has one list of
 * frames, and each sample of a profile is a list of indices of frames. */
#define _GNU_SOURCE
#include "report/fleet/speedscope.h"

#include "core/number.h"
#include "core/spool.h"
#include "report/model/flame.h"
#include "report/say/alloc.h"
#include "report/say/array.h"
#include "report/say/hash.h"

#include <stdio.h>
#include <stdlib.h>

static const double BYTES_PER_MIB = 1048576;

struct flames {
	const struct model *model;
	struct flame_frame *frames;
	size_t frame_count;
	size_t *slots; /* hash table of frames: index + 1, or 0 if the slot is free */
	size_t slot_count;
	struct flame_programs programs;
};

/* Returns the slot of a frame. If the table does not contain the frame, returns the free slot for it. */
static size_t *find_slot(const struct flames *flames, const struct flame_frame *frame)
{
	const struct {
		double pid, line;
		const char *file, *function;
	} key = {known_first(frame->pid, -1), known_first(frame->line, -1), frame->file, frame->function};
	uint64_t hash = hash_fnv1a(HASH_FNV1A, (struct text){(const char *)&key, sizeof key});
	size_t mask = flames->slot_count - 1;

	if (frame->program)
		hash = hash_fnv1a(hash, text_of(frame->program));
	size_t at = (size_t)hash & mask;
	while (flames->slots[at] != 0 && !flame_is_same(&flames->frames[flames->slots[at] - 1], frame))
		at = (at + 1) & mask;
	return &flames->slots[at];
}

static void widen(struct flames *flames)
{
	free(flames->slots);
	flames->slot_count = flames->slot_count == 0 ? 64 : 2 * flames->slot_count;
	flames->slots = xcalloc(flames->slot_count, sizeof *flames->slots);
	for (size_t i = 0; i < flames->frame_count; i++)
		*find_slot(flames, &flames->frames[i]) = i + 1;
}

static void add_frame(struct flames *flames, const struct flame_frame *frame)
{
	if (2 * flames->frame_count >= flames->slot_count)
		widen(flames);
	size_t *slot = find_slot(flames, frame);
	if (*slot == 0) {
		array_grow(&flames->frames, flames->frame_count, sizeof *flames->frames);
		flames->frames[flames->frame_count] = *frame;
		*slot = ++flames->frame_count;
	}
}

/* Fills in the call stack of a row and returns the number of its frames. The rows of a process are adjacent, so
 * flame_program is called only once for each process; *program keeps its result between the calls. */
static size_t frames_of(
	const struct flames *flames, size_t row, const char **program, struct flame_frame frames[FLAME_FRAMES_MAX])
{
	const struct code_row *items = flames->model->code.rows.items;

	if (row == 0 || items[row].pid != items[row - 1].pid)
		*program = flame_program(&flames->programs, items[row].pid);
	return flame_frames(*program, items[row].pid, &items[row].line, frames);
}

static void list_frames(struct flames *flames)
{
	struct flame_frame frames[FLAME_FRAMES_MAX];
	const char *program = "";

	for (size_t i = 0; i < flames->model->code.rows.count; i++) {
		size_t count = frames_of(flames, i, &program, frames);
		for (size_t j = 0; j < count; j++)
			add_frame(flames, &frames[j]);
	}
}

/* -- writing ---------------------------------------------------------------------------------------- */

static void write_frame(FILE *out, const struct flame_frame *frame)
{
	char name[CODE_NAME_SIZE];

	fputs("{\"name\":", out);
	json_put_string(out, flame_name(frame, name));
	/* Without a call stack, the source line may be in another file than the function. */
	if (frame->file && (frame->called || !frame->function)) {
		fputs(",\"file\":", out);
		json_put_string(out, frame->file);
	}
	if (number_known(frame->line))
		fprintf(out, ",\"line\":%.0f", frame->line);
	fputc('}', out);
}

static double cpu_seconds_of(const struct code_line *line)
{
	return line->cpu_seconds;
}

static double growth_bytes_of(const struct code_line *line)
{
	return line->growth_mib * BYTES_PER_MIB;
}

static void write_profile(FILE *out, const struct flames *flames, const char *name, const char *unit,
	double (*weight)(const struct code_line *line))
{
	const struct code_rows *rows = &flames->model->code.rows;
	struct flame_frame frames[FLAME_FRAMES_MAX];
	const char *separator = "", *program = "";
	double sum = 0;

	fprintf(out, "{\"type\":\"sampled\",\"name\":\"%s\",\"unit\":\"%s\",\"samples\":[", name, unit);
	for (size_t i = 0; i < rows->count; i++) {
		size_t count = frames_of(flames, i, &program, frames);
		if (!(weight(&rows->items[i].line) > 0))
			continue;
		fprintf(out, "%s[", separator);
		for (size_t j = 0; j < count; j++)
			fprintf(out, "%s%zu", j > 0 ? "," : "", *find_slot(flames, &frames[j]) - 1);
		fputc(']', out);
		separator = ",";
		sum += weight(&rows->items[i].line);
	}
	separator = "";
	fputs("],\"weights\":[", out);
	for (size_t i = 0; i < rows->count; i++)
		if (weight(&rows->items[i].line) > 0) {
			fprintf(out, "%s%s", separator, json_shortest(weight(&rows->items[i].line)).text);
			separator = ",";
		}
	fprintf(out, "],\"startValue\":0,\"endValue\":%s}", json_shortest(sum).text);
}

static void write_flames(FILE *out, const struct flames *flames)
{
	fputs("{\"$schema\":\"https://www.speedscope.app/"
	      "file-format-schema.json\",\"exporter\":\"rtrack-report " RTRACK_VERSION "\",\"name\":",
		out);
	json_put_string(out, flames->model->run->job);
	fputs(",\"activeProfileIndex\":0,\"shared\":{\"frames\":[", out);
	for (size_t i = 0; i < flames->frame_count; i++) {
		fputs(i > 0 ? "," : "", out);
		write_frame(out, &flames->frames[i]);
	}
	fputs("]},\"profiles\":[", out);
	write_profile(out, flames, "CPU time", "seconds", cpu_seconds_of);
	fputc(',', out);
	write_profile(out, flames, "Growth of memory", "bytes", growth_bytes_of);
	fputs("]}\n", out);
}

void speedscope_write(gzFile out, const struct run *run)
{
	struct model model;
	struct flames flames = {.model = &model};
	char *text;
	size_t size;
	FILE *memory = xopen_memstream(&text, &size);

	model_read(&model, run, &(struct model_wish){.sections = MODEL_LINES});
	flame_programs_sort(&flames.programs, &model);
	list_frames(&flames);
	write_flames(memory, &flames);
	xclose_memstream(memory);
	gzputs(out, text);
	free(text);
	free(flames.frames);
	free(flames.slots);
	flame_programs_free(&flames.programs);
	model_free(&model);
}
