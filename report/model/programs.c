/* The processes of a run by program; see programs.h. */
#include "report/model/programs.h"

#include "core/number.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct named {
	struct text name;
	const struct process *process;
};

/* The first word of a command line. A path that holds a space is cut there, since the line has no quotes. */
static struct text first_word(const char *command)
{
	struct text whole = text_of(command);
	return (struct text){command, text_find(whole, ' ', 0)};
}

static struct text name_of(const struct process *process)
{
	struct text name = {NULL, 0};
	if (process->exe)
		name = text_basename(text_of(process->exe));
	if (name.length == 0 && process->command)
		name = text_basename(first_word(process->command));
	return name.length > 0 ? name : TEXT("(unknown)");
}

static int compare_text(struct text a, struct text b)
{
	int order = memcmp(a.data, b.data, a.length < b.length ? a.length : b.length);
	return order != 0 ? order : a.length < b.length ? -1 : a.length > b.length;
}

static int by_name(const void *a, const void *b)
{
	const struct named *x = a;
	const struct named *y = b;
	int order = compare_text(x->name, y->name);
	return order != 0 ? order : x->process < y->process ? -1 : x->process > y->process;
}

static int by_cpu(const void *a, const void *b)
{
	const struct program *x = a;
	const struct program *y = b;
	if (x->cpu_seconds != y->cpu_seconds)
		return x->cpu_seconds < y->cpu_seconds ? 1 : -1;
	return strcmp(x->name, y->name);
}

/* The length of those whole words of `a` with which `b` begins as well. */
static size_t common_words(struct text a, struct text b)
{
	size_t words = 0;
	size_t i = 0;

	for (;; i++) {
		bool a_ends = i == a.length || a.data[i] == ' ';
		bool b_ends = i == b.length || b.data[i] == ' ';
		if (a_ends && b_ends)
			words = i;
		if (i == a.length || i == b.length || a.data[i] != b.data[i])
			return words;
	}
}

/* A command line from the base name of its program on. */
static struct text command_of(const struct process *process)
{
	if (!process->command)
		return TEXT("");
	struct text word = first_word(process->command);
	size_t path = word.length - text_basename(word).length;
	return (struct text){process->command + path, strlen(process->command + path)};
}

static int make_program(struct program *program, const struct named *group, size_t count)
{
	struct text common = command_of(group[0].process);
	*program = (struct program){.processes = count,
		.peak_memory_mib = UNKNOWN,
		.read_bytes = UNKNOWN,
		.write_bytes = UNKNOWN,
		.gpu_seconds = UNKNOWN,
		.peak_vram_mib = UNKNOWN};

	for (size_t i = 0; i < count; i++) {
		struct process_figures usage = process_best_usage(group[i].process);
		struct text command = command_of(group[i].process);
		size_t same = common_words(common, command);
		program->differs |= same < common.length || same < command.length;
		common.length = same;
		known_add(&program->cpu_seconds, usage.user_seconds);
		known_add(&program->cpu_seconds, usage.system_seconds);
		known_add(&program->read_bytes, usage.read_bytes);
		known_add(&program->write_bytes, usage.write_bytes);
		known_add(&program->gpu_seconds, group[i].process->gpu_seconds);
		program->peak_vram_mib = known_larger(program->peak_vram_mib, group[i].process->peak_vram_mib);
		if (!(usage.peak_memory_mib <= program->peak_memory_mib) && number_known(usage.peak_memory_mib))
			program->peak_memory_mib = usage.peak_memory_mib;
	}
	if (common.length == 0)
		common = group[0].name;
	program->name = strndup(group[0].name.data, group[0].name.length);
	program->command = strndup(common.data, common.length);
	return program->name && program->command ? 0 : -1;
}

/* Brings `of` up to date: it holds places by name, and the programs were sorted by CPU time since. */
static int settle(struct programs *programs, size_t processes)
{
	size_t *place = malloc((programs->count + 1) * sizeof *place);

	if (!place)
		return -1;
	for (size_t i = 0; i < programs->count; i++)
		place[programs->items[i].group] = i;
	for (size_t i = 0; i < processes; i++)
		programs->of[i] = place[programs->of[i]];
	free(place);
	return 0;
}

/* One program for each run of equal names. */
static int group(struct programs *programs, const struct named *names, const struct processes *processes)
{
	for (size_t i = 0, end; i < processes->count; i = end) {
		size_t place = programs->count;
		for (end = i; end < processes->count && text_equal(names[end].name, names[i].name); end++)
			programs->of[names[end].process - processes->items] = place;
		struct program *items = realloc(programs->items, (place + 1) * sizeof *items);
		if (!items)
			return -1;
		programs->items = items;
		programs->count++;
		if (make_program(&items[place], names + i, end - i) != 0)
			return -1;
		items[place].group = place;
	}
	return 0;
}

int programs_make(struct programs *programs, const struct processes *processes)
{
	size_t count = processes->count;
	struct named *names = malloc((count + 1) * sizeof *names);

	*programs = (struct programs){.of = malloc((count + 1) * sizeof *programs->of)};
	int result = names && programs->of ? 0 : -1;
	for (size_t i = 0; result == 0 && i < count; i++)
		names[i] = (struct named){name_of(&processes->items[i]), &processes->items[i]};
	if (result == 0) {
		qsort(names, count, sizeof *names, by_name);
		result = group(programs, names, processes);
	}
	free(names);
	if (result == 0 && programs->count > 1)
		qsort(programs->items, programs->count, sizeof *programs->items, by_cpu);
	if (result != 0 || settle(programs, count) != 0) {
		programs_free(programs);
		errno = ENOMEM;
		return -1;
	}
	return 0;
}

void programs_free(struct programs *programs)
{
	for (size_t i = 0; i < programs->count; i++) {
		free(programs->items[i].name);
		free(programs->items[i].command);
	}
	free(programs->items);
	free(programs->of);
	*programs = (struct programs){0};
}
