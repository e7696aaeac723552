/* Lines of code at which interpreters were; see code.h. */
#include "report/spool/code.h"

#include "core/number.h"
#include "report/say/array.h"
#include "report/spool/reader.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static double or_none(double number)
{
	return number_known(number) ? number : 0;
}

static char *copy_of(struct text text)
{
	return strndup(text.length > 0 ? text.data : "", text.length);
}

static int take_row(void *context, struct reader *reader)
{
	struct code *code = context;

	if (array_grow(&code->lines, code->count, sizeof *code->lines) != 0)
		return -1;
	struct code_line *line = &code->lines[code->count];
	*line = (struct code_line){.file = copy_of(reader_text(reader, LINE_file)),
		.function = copy_of(reader_text(reader, LINE_function)),
		.language = copy_of(reader_text(reader, LINE_language)),
		.line = reader_number(reader, LINE_line),
		.samples = or_none(reader_number(reader, LINE_samples)),
		.samples_cut = or_none(reader_number(reader, LINE_samples_cut)),
		.seconds = or_none(reader_number(reader, LINE_seconds)),
		.cpu_seconds = or_none(reader_number(reader, LINE_cpu_seconds)),
		.memory_mib = reader_number(reader, LINE_memory_mib),
		.growth_mib = or_none(reader_number(reader, LINE_memory_growth_mib))};
	code->count++;
	return line->file && line->function && line->language ? 0 : -1;
}

static int compare_places(const struct code_line *a, const struct code_line *b)
{
	int files = strcmp(a->file, b->file);
	/* What is no line is told apart by its reason. */
	int reasons = *a->file == '\0' && files == 0 ? strcmp(a->function, b->function) : 0;

	return files != 0     ? files
	       : reasons != 0 ? reasons
			      : (or_none(a->line) > or_none(b->line)) - (or_none(a->line) < or_none(b->line));
}

static int by_function(const void *first, const void *second)
{
	const struct code_line *a = first, *b = second;
	int places = compare_places(a, b);
	return places != 0 ? places : strcmp(a->function, b->function);
}

static int by_cpu(const void *first, const void *second)
{
	const struct code_line *a = first, *b = second;
	int more = (a->cpu_seconds < b->cpu_seconds) - (a->cpu_seconds > b->cpu_seconds);
	return more != 0 ? more : by_function(first, second);
}

static void free_line(struct code_line *line)
{
	free(line->file);
	free(line->function);
	free(line->language);
}

static void add_line(struct code_line *sum, struct code_line *line)
{
	sum->samples += line->samples;
	sum->samples_cut += line->samples_cut;
	sum->seconds += line->seconds;
	sum->cpu_seconds += line->cpu_seconds;
	sum->memory_mib = fmax(sum->memory_mib, line->memory_mib);
	sum->growth_mib += line->growth_mib;
	free_line(line);
}

/* Joins lines that stand beside each other and are the same. */
static void join(struct code *code, int (*compare)(const void *, const void *))
{
	size_t kept = 0;

	for (size_t i = 0; i < code->count; i++)
		if (kept > 0 && compare(&code->lines[kept - 1], &code->lines[i]) == 0)
			add_line(&code->lines[kept - 1], &code->lines[i]);
		else
			code->lines[kept++] = code->lines[i];
	code->count = kept;
}

/* The largest function of a line first. */
static int by_place(const void *first, const void *second)
{
	int places = compare_places(first, second);
	return places != 0 ? places : by_cpu(first, second);
}

static int of_one_place(const void *first, const void *second)
{
	return compare_places(first, second);
}

int code_load(struct code *code, const char *directory)
{
	struct reader reader;

	*code = (struct code){0};
	if (reader_open(&reader, directory, TABLE_line) != 0)
		return errno == ENOMEM ? -1 : 0;
	int failed = reader_each(&reader, take_row, code);
	reader_close(&reader);
	if (failed != 0) {
		code_free(code);
		errno = ENOMEM;
		return -1;
	}
	if (code->count > 0) {
		qsort(code->lines, code->count, sizeof *code->lines, by_function);
		join(code, by_function);
		qsort(code->lines, code->count, sizeof *code->lines, by_place);
		join(code, of_one_place);
		qsort(code->lines, code->count, sizeof *code->lines, by_cpu);
	}
	for (size_t i = 0; i < code->count; i++) {
		code->samples += code->lines[i].samples;
		code->cpu_seconds += code->lines[i].cpu_seconds;
	}
	return 0;
}

void code_free(struct code *code)
{
	for (size_t i = 0; i < code->count; i++)
		free_line(&code->lines[i]);
	free(code->lines);
	*code = (struct code){0};
}

cJSON *code_json(const struct code *code)
{
	cJSON *array = cJSON_CreateArray();

	for (size_t i = 0; i < code->count; i++) {
		const struct code_line *line = &code->lines[i];
		cJSON *item = cJSON_CreateObject();
		cJSON_AddStringToObject(item, "language", line->language);
		if (*line->file)
			cJSON_AddStringToObject(item, "file", line->file);
		else
			cJSON_AddNullToObject(item, "file");
		json_add_number(item, "line", line->line, 0);
		cJSON_AddStringToObject(item, "function", line->function);
		json_add_number(item, "samples", line->samples, 0);
		json_add_number(item, "samples_cut", line->samples_cut, 0);
		json_add_number(item, "seconds", line->seconds, 3);
		json_add_number(item, "cpu_seconds", line->cpu_seconds, 6);
		json_add_number(item, "memory_mib", line->memory_mib, 3);
		json_add_number(item, "memory_growth_mib", line->growth_mib, 3);
		cJSON_AddItemToArray(array, item);
	}
	return array;
}
