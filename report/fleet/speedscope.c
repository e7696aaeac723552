/* SPDX-License-Identifier: Apache-2.0 */
/* Writes the rows of line.csv with their call stacks in the format of speedscope. A file of this format has one list of
 * frames, and each sample of a profile is a list of indices of frames. */
#define _GNU_SOURCE
#include "report/fleet/speedscope.h"

#include "core/number.h"
#include "core/spool.h"
#include "report/model/flame.h"
#include "report/say/alloc.h"

#include <stdio.h>
#include <stdlib.h>

static const double BYTES_PER_MIB = 1048576;

struct flames {
	const struct model *model;
	struct flame_set frames;
	struct flame_programs programs;
};

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
			(void)flame_set_add(&flames->frames, 0, &frames[j]);
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

static void write_profile(FILE *out, struct flames *flames, const char *name, const char *unit,
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
			fprintf(out, "%s%zu", j > 0 ? "," : "", flame_set_add(&flames->frames, 0, &frames[j]));
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

static void write_flames(FILE *out, struct flames *flames)
{
	fputs("{\"$schema\":\"https://www.speedscope.app/"
	      "file-format-schema.json\",\"exporter\":\"rtrack-report " RTRACK_VERSION "\",\"name\":",
		out);
	json_put_string(out, flames->model->run->job);
	fputs(",\"activeProfileIndex\":0,\"shared\":{\"frames\":[", out);
	for (size_t i = 0; i < flames->frames.count; i++) {
		fputs(i > 0 ? "," : "", out);
		write_frame(out, &flames->frames.items[i].frame);
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
	flame_set_free(&flames.frames);
	flame_programs_free(&flames.programs);
	model_free(&model);
}
