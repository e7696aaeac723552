/* A flame graph of lines of code; see speedscope.h.
 *
 * A row of line.csv is a stack of up to four frames: the process, the file, its line, and the innermost function. A
 * file has a list of frames, and the samples of a profile name them by their positions. */
#define _GNU_SOURCE
#include "report/fleet/speedscope.h"

#include "core/number.h"
#include "core/spool.h"
#include "report/model/model.h"
#include "report/say/array.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double BYTES_PER_MIB = 1048576;

/* Texts are those of the model: the same text is the same pointer. */
struct frame {
	double pid;       /* of a process; UNKNOWN: it is none */
	const char *file; /* NULL: none */
	double line;
	const char *function; /* NULL: the frame is the file, or a line of it */
};

enum { STACK_MAX = 4 };

struct stack {
	size_t count;
	size_t frames[STACK_MAX];
};

struct flames {
	const struct model *model;
	struct frame *frames;
	size_t frame_count;
	struct stack *stacks; /* of each row */
};

static bool is_same(const struct frame *a, const struct frame *b)
{
	return known_first(a->pid, -1) == known_first(b->pid, -1) && a->file == b->file &&
	       known_first(a->line, -1) == known_first(b->line, -1) && a->function == b->function;
}

static int push(struct flames *flames, struct stack *stack, struct frame frame)
{
	size_t at = flames->frame_count;

	while (at > 0 && !is_same(&flames->frames[at - 1], &frame))
		at--;
	if (at == 0) {
		if (array_grow(&flames->frames, flames->frame_count, sizeof *flames->frames) != 0)
			return -1;
		flames->frames[flames->frame_count] = frame;
		at = ++flames->frame_count;
	}
	stack->frames[stack->count++] = at - 1;
	return 0;
}

static int make_stacks(struct flames *flames)
{
	const struct code_rows *rows = &flames->model->code.rows;

	flames->stacks = calloc(rows->count + 1, sizeof *flames->stacks);
	if (!flames->stacks)
		return -1;
	for (size_t i = 0; i < rows->count; i++) {
		const struct code_line *line = &rows->items[i].line;
		struct stack *stack = &flames->stacks[i];
		const char *file = *line->file ? line->file : NULL;
		if (push(flames, stack, (struct frame){rows->items[i].pid, NULL, UNKNOWN, NULL}) != 0 ||
			(file && push(flames, stack, (struct frame){UNKNOWN, file, UNKNOWN, NULL}) != 0) ||
			(file && number_known(line->line) &&
				push(flames, stack, (struct frame){UNKNOWN, file, line->line, NULL}) != 0) ||
			push(flames, stack, (struct frame){UNKNOWN, file, UNKNOWN, line->function}) != 0)
			return -1;
	}
	return 0;
}

/* -- writing ---------------------------------------------------------------------------------------- */

static const char *program_of(const struct model *model, double pid)
{
	const char *name = "a program";

	for (size_t i = 0; i < model->processes.count; i++)
		if (model->processes.items[i].id.pid == pid)
			name = postmortem_name(&model->processes.items[i]);
	return name;
}

static void write_frame(FILE *out, const struct model *model, const struct frame *frame)
{
	const char *slash = frame->file ? strrchr(frame->file, '/') : NULL, *base = slash ? slash + 1 : frame->file;
	char name[CODE_NAME_SIZE];

	if (number_known(frame->pid))
		snprintf(name, sizeof name, "%.200s (process %.0f)", program_of(model, frame->pid), frame->pid);
	else if (frame->function)
		snprintf(name, sizeof name, frame->file ? "%.200s" : "(%.200s)", frame->function);
	else if (number_known(frame->line))
		snprintf(name, sizeof name, "%.200s:%.0f", base, frame->line);
	else
		snprintf(name, sizeof name, "%.200s", base);
	fputs("{\"name\":", out);
	json_put_string(out, name);
	/* The function may be in another file. */
	if (frame->file && !frame->function) {
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
	const char *separator = "";
	double sum = 0;

	fprintf(out, "{\"type\":\"sampled\",\"name\":\"%s\",\"unit\":\"%s\",\"samples\":[", name, unit);
	for (size_t i = 0; i < rows->count; i++) {
		const struct stack *stack = &flames->stacks[i];
		if (!(weight(&rows->items[i].line) > 0))
			continue;
		fprintf(out, "%s[", separator);
		for (size_t j = 0; j < stack->count; j++)
			fprintf(out, "%s%zu", j > 0 ? "," : "", stack->frames[j]);
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
		write_frame(out, flames->model, &flames->frames[i]);
	}
	fputs("]},\"profiles\":[", out);
	write_profile(out, flames, "CPU time", "seconds", cpu_seconds_of);
	fputc(',', out);
	write_profile(out, flames, "Growth of memory", "bytes", growth_bytes_of);
	fputs("]}\n", out);
}

/* The whole as a text, which the caller frees; NULL: there is no memory. */
static char *text_of_flames(const struct flames *flames)
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	if (!out)
		return NULL;
	write_flames(out, flames);
	if (fclose(out) == 0)
		return text;
	free(text);
	return NULL;
}

int speedscope_write(gzFile out, const struct run *run)
{
	struct model model;
	struct flames flames = {.model = &model};

	if (model_read(&model, run, &(struct model_wish){.sections = MODEL_LINES}) != 0)
		return -1;
	char *text = make_stacks(&flames) == 0 ? text_of_flames(&flames) : NULL;
	if (text)
		gzputs(out, text);
	else
		errno = ENOMEM;
	int result = text ? 0 : -1;
	free(text);
	free(flames.frames);
	free(flames.stacks);
	model_free(&model);
	return result;
}
