/* SPDX-License-Identifier: Apache-2.0 */
/* Computes CPU time and memory growth by line of code and by function. */
#include "report/model/code.h"

#include "core/number.h"
#include "report/say/array.h"
#include "report/say/bounds.h"
#include "report/say/message.h"
#include "report/say/units.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* seconds; timestamps of one tick may differ, because they are rounded to milliseconds */
static const double SAME_TIME = 0.002;
/* no line is reported if interpreters held less than this share of the memory */
static const double PEAK_PART = 0.5;
static const double GROWN_LEAST = 1;   /* MiB; smaller growth is not reported */
static const double GROWN_PART = 0.05; /* growth below this share of the process's memory is not reported */

/* -- equal lines ----------------------------------------------------------------------------------- */

static int compare_places(const struct code_line *a, const struct code_line *b)
{
	int files = a->file == b->file ? 0 : strcmp(a->file, b->file);

	if (files != 0)
		return files;
	/* If the line is unknown, `function` contains the reason. */
	if (*a->file == '\0')
		return strcmp(a->function, b->function);
	return ORDER(known_first(a->line, 0), known_first(b->line, 0));
}

static int of_place(const void *first, const void *second)
{
	return compare_places(first, second);
}

static int by_line_and_function(const void *first, const void *second)
{
	const struct code_line *a = first, *b = second;
	int places = compare_places(a, b);
	return places != 0 ? places : strcmp(a->function, b->function);
}

static int by_function(const void *first, const void *second)
{
	const struct code_line *a = first, *b = second;
	int files = strcmp(a->file, b->file);
	return files != 0 ? files : strcmp(a->function, b->function);
}

static int by_cpu(const void *first, const void *second)
{
	const struct code_line *a = first, *b = second;
	int more = ORDER(b->cpu_seconds, a->cpu_seconds);
	return more != 0 ? more : by_line_and_function(first, second);
}

/* Orders by file and line, then by CPU time, descending. */
static int by_place(const void *first, const void *second)
{
	int places = compare_places(first, second);
	return places != 0 ? places : by_cpu(first, second);
}

static int by_growth(const void *first, const void *second)
{
	const struct code_line *a = first, *b = second;
	int more = ORDER(b->growth_mib, a->growth_mib);
	return more != 0 ? more : by_line_and_function(first, second);
}

void code_line_add(struct code_line *sum, const struct code_line *line)
{
	sum->samples += line->samples;
	sum->samples_cut += line->samples_cut;
	sum->seconds += line->seconds;
	sum->cpu_seconds += line->cpu_seconds;
	sum->memory_mib = fmax(sum->memory_mib, line->memory_mib);
	sum->growth_mib += line->growth_mib;
}

/* Merges adjacent items that `compare` finds equal. */
static void join(struct code_list *list, int (*compare)(const void *, const void *))
{
	size_t kept = 0;

	for (size_t i = 0; i < list->count; i++)
		if (kept > 0 && compare(&list->items[kept - 1], &list->items[i]) == 0)
			code_line_add(&list->items[kept - 1], &list->items[i]);
		else
			list->items[kept++] = list->items[i];
	list->count = kept;
}

static void list_rows(struct code_list *list, const struct code_row *rows, size_t count)
{
	*list = (struct code_list){.items = xcalloc(count, sizeof *list->items)};
	for (size_t i = 0; i < count; i++) {
		list->items[list->count++] = rows[i].line;
		list->samples += rows[i].line.samples;
		list->cpu_seconds += rows[i].line.cpu_seconds;
	}
	array_sort(list->items, list->count, by_line_and_function);
	join(list, by_line_and_function);
}

/* Merges items so that each line occurs once. */
static void fold_lines(struct code_list *list)
{
	array_sort(list->items, list->count, by_place);
	join(list, of_place);
}

/* -- functions -------------------------------------------------------------------------------------- */

/* Turns a line into its function. Frozen modules, such as the import system, are parts of the interpreter, so all of
 * them are one item without a file. */
static void make_function(struct code_line *line)
{
	bool frozen = text_starts(text_of(line->file), "<frozen ");

	line->line = UNKNOWN;
	line->stack = NULL;
	line->file = frozen ? "" : line->file;
	line->function = frozen ? "interpreter" : line->function;
}

/* Returns the innermost frame of the user's code, or NULL. */
static const struct code_frame *own_frame(const struct code_stack *stack)
{
	for (size_t i = stack->count; i > 0; i--)
		if (stack->frames[i - 1].own)
			return &stack->frames[i - 1];
	return NULL;
}

static bool is_function_of(const struct code_frame *frame, const struct code_line *line)
{
	return frame->file == line->file && frame->function == line->function;
}

/* Returns whether no frame further out belongs to the same function. A recursive function is thus counted once. */
static bool is_first(const struct code_stack *stack, size_t at)
{
	for (size_t i = 0; i < at; i++)
		if (stack->frames[i].file == stack->frames[at].file &&
			stack->frames[i].function == stack->frames[at].function)
			return false;
	return true;
}

/* Sums of all rows with the same stack. */
struct stack_sum {
	const struct code_stack *stack; /* NULL if no row has this stack */
	struct code_line line;          /* file and function are copied from the first row */
};

/* Returns an array of sums, indexed by the number of the stack. The caller frees the array. */
static struct stack_sum *sum_stacks(const struct code *code)
{
	struct stack_sum *sums = xcalloc(code->rows.stack_count, sizeof *sums);

	for (size_t i = 0; i < code->rows.count; i++) {
		const struct code_line *line = &code->rows.items[i].line;
		struct stack_sum *sum = line->stack ? &sums[line->stack->number] : NULL;
		if (!sum)
			continue;
		if (sum->stack)
			code_line_add(&sum->line, line);
		else
			*sum = (struct stack_sum){line->stack, *line};
	}
	return sums;
}

/* Adds an item without figures for each function of the user on a stack, because a function that only calls others has
 * no samples of its own. */
static void list_callers(struct code_list *functions, const struct stack_sum *sums, size_t count)
{
	for (size_t i = 0; i < count; i++)
		for (size_t j = 0; sums[i].stack && j < sums[i].stack->count; j++) {
			const struct code_frame *frame = &sums[i].stack->frames[j];
			if (!frame->own || !is_first(sums[i].stack, j))
				continue;
			array_grow(&functions->items, functions->count, sizeof *functions->items);
			functions->items[functions->count++] = (struct code_line){.language = sums[i].line.language,
				.file = frame->file,
				.function = frame->function,
				.line = UNKNOWN,
				.memory_mib = UNKNOWN};
		}
}

static void add_total(struct code_line *function, const struct code_line *line)
{
	function->total_cpu_seconds += line->cpu_seconds;
	function->total_samples += line->samples;
}

/* Sets the totals of functions: the function's own samples, plus the samples in which it had called another function of
 * the user. The functions must be sorted by by_function. */
static void add_totals(struct code_list *functions, const struct stack_sum *sums, size_t count)
{
	for (size_t i = 0; i < functions->count; i++)
		add_total(&functions->items[i], &functions->items[i]);
	for (size_t i = 0; i < count; i++)
		for (size_t j = 0; sums[i].stack && j < sums[i].stack->count; j++) {
			const struct code_frame *frame = &sums[i].stack->frames[j];
			struct code_line wanted = {.file = frame->file, .function = frame->function};
			if (!frame->own || is_function_of(frame, &sums[i].line) || !is_first(sums[i].stack, j))
				continue;
			struct code_line *function =
				bsearch(&wanted, functions->items, functions->count, sizeof wanted, by_function);
			if (function)
				add_total(function, &sums[i].line);
		}
}

static void make_functions(
	struct code_list *functions, const struct code_list *lines, const struct stack_sum *sums, size_t count)
{
	*functions = (struct code_list){.samples = lines->samples, .cpu_seconds = lines->cpu_seconds};
	for (size_t i = 0; i < lines->count; i++) {
		array_grow(&functions->items, functions->count, sizeof *functions->items);
		functions->items[functions->count] = lines->items[i];
		make_function(&functions->items[functions->count++]);
	}
	list_callers(functions, sums, count);
	array_sort(functions->items, functions->count, by_function);
	join(functions, by_function);
	add_totals(functions, sums, count);
}

static int by_caller(const void *first, const void *second)
{
	const struct code_callee *a = first, *b = second;
	int order = strcmp(a->file, b->file);
	return order != 0 ? order : strcmp(a->function, b->function);
}

static int by_callee(const void *first, const void *second)
{
	int callers = by_caller(first, second);
	return callers != 0 ? callers
			    : by_function(&((const struct code_callee *)first)->line,
				      &((const struct code_callee *)second)->line);
}

static int by_callee_cpu(const void *first, const void *second)
{
	int callers = by_caller(first, second);
	return callers != 0 ? callers
			    : by_cpu(&((const struct code_callee *)first)->line,
				      &((const struct code_callee *)second)->line);
}

/* Lists the functions of libraries that functions of the user called directly. */
static void make_callees(struct code_callees *callees, const struct stack_sum *sums, size_t count)
{
	size_t kept = 0;

	*callees = (struct code_callees){0};
	for (size_t i = 0; i < count; i++) {
		const struct code_frame *own = sums[i].stack ? own_frame(sums[i].stack) : NULL;
		if (!own || !is_function_of(own, &sums[i].line) ||
			own + 1 == sums[i].stack->frames + sums[i].stack->count)
			continue;
		array_grow(&callees->items, callees->count, sizeof *callees->items);
		struct code_callee *callee = &callees->items[callees->count++];
		*callee = (struct code_callee){own->file, own->function, sums[i].line};
		callee->line.file = own[1].file;
		callee->line.function = own[1].function;
		callee->line.line = UNKNOWN;
	}
	array_sort(callees->items, callees->count, by_callee);
	for (size_t i = 0; i < callees->count; i++)
		if (kept > 0 && by_callee(&callees->items[kept - 1], &callees->items[i]) == 0)
			code_line_add(&callees->items[kept - 1].line, &callees->items[i].line);
		else
			callees->items[kept++] = callees->items[i];
	callees->count = kept;
	array_sort(callees->items, callees->count, by_callee_cpu);
}

const struct code_callee *code_callees_of(const struct code *code, const struct code_line *function, size_t *count)
{
	struct code_callee wanted = {.file = function->file, .function = function->function};
	const struct code_callees *callees = &code->callees;
	const struct code_callee *first =
		callees->count > 0 ? bsearch(&wanted, callees->items, callees->count, sizeof wanted, by_caller) : NULL;

	*count = 0;
	if (!first)
		return NULL;
	while (first > callees->items && by_caller(first - 1, &wanted) == 0)
		first--;
	while (first + *count < callees->items + callees->count && by_caller(first + *count, &wanted) == 0)
		++*count;
	return first;
}

/* -- all -------------------------------------------------------------------------------------------- */

static int by_process(const void *first, const void *second)
{
	const struct code_row *a = first, *b = second;
	int order = ORDER(a->pid, b->pid);

	if (order == 0)
		order = ORDER(a->time, b->time);
	return order != 0 ? order : ORDER(a->position, b->position);
}

/* Orders functions by their own CPU time, then by their total, both descending. */
static int by_self(const void *first, const void *second)
{
	const struct code_line *a = first, *b = second;
	int more = ORDER(b->cpu_seconds, a->cpu_seconds);

	if (more == 0)
		more = ORDER(b->total_cpu_seconds, a->total_cpu_seconds);
	return more != 0 ? more : by_function(first, second);
}

void code_make(struct code *code, struct code_rows *rows)
{
	*code = (struct code){.rows = *rows};
	*rows = (struct code_rows){0};
	struct stack_sum *sums = sum_stacks(code);
	list_rows(&code->lines, code->rows.items, code->rows.count);
	make_functions(&code->functions, &code->lines, sums, code->rows.stack_count);
	make_callees(&code->callees, sums, code->rows.stack_count);
	free(sums);
	array_sort(code->rows.items, code->rows.count, by_process);
	fold_lines(&code->lines);
	array_sort(code->lines.items, code->lines.count, by_cpu);
	array_sort(code->functions.items, code->functions.count, by_self);
}

void code_list_free(struct code_list *list)
{
	free(list->items);
	*list = (struct code_list){0};
}

void code_list_at(struct code_list *list, const struct code *code, bool (*wanted)(const void *context, double time),
	const void *context)
{
	struct code_row *rows = xcalloc(code->rows.count, sizeof *rows);
	size_t count = 0;

	for (size_t i = 0; i < code->rows.count; i++)
		if (wanted(context, code->rows.items[i].time))
			rows[count++] = code->rows.items[i];
	list_rows(list, rows, count);
	free(rows);
	fold_lines(list);
	array_sort(list->items, list->count, by_cpu);
}

void code_free(struct code *code)
{
	code_list_free(&code->lines);
	code_list_free(&code->functions);
	free(code->callees.items);
	code_rows_free(&code->rows);
	*code = (struct code){0};
}

/* -- a moment --------------------------------------------------------------------------------------- */

/* Adjacent rows that belong to one process. */
struct span {
	const struct code_row *rows;
	size_t count;
};

static struct span next_process(const struct code *code, size_t from)
{
	struct span span = {&code->rows.items[from], 0};

	while (from + span.count < code->rows.count && span.rows[span.count].pid == span.rows[0].pid)
		span.count++;
	return span;
}

/* Returns the rows of a process in the first tick at or after `time`. Returns no rows if the process began after
 * `time` or had ended before it. */
static struct span rows_at(struct span process, double time)
{
	struct span at = {process.rows, 0};
	double seconds = 0;

	while (process.count > 0 && at.rows->time < time - SAME_TIME) {
		at.rows++;
		process.count--;
	}
	while (at.count < process.count && at.rows[at.count].time <= at.rows->time)
		seconds += at.rows[at.count++].line.seconds;
	if (at.count > 0 && at.rows->time - seconds > time + SAME_TIME)
		at.count = 0;
	return at;
}

static bool is_line(const struct code_row *row)
{
	return *row->line.file != '\0';
}

/* Returns the row with the most memory, or NULL if no row names a line of code. If several rows have the same memory,
 * returns the one with the most growth. */
static const struct code_row *largest(struct span at)
{
	const struct code_row *most = NULL;

	for (size_t i = 0; i < at.count; i++) {
		const struct code_line *line = &at.rows[i].line;
		double memory = known_first(line->memory_mib, 0),
		       before = most ? known_first(most->line.memory_mib, 0) : 0;
		if (is_line(&at.rows[i]) &&
			(!most || memory > before || (memory >= before && line->growth_mib > most->line.growth_mib)))
			most = &at.rows[i];
	}
	return most;
}

/* Sets moment->step to the row in which memory grew most, if the growth is large enough to be reported. */
static void find_step(struct code_moment *moment, const struct code_row *rows, size_t count)
{
	double most_mib = fmax(GROWN_LEAST, GROWN_PART * known_first(moment->memory_mib, 0));

	moment->step.time = UNKNOWN;
	for (size_t i = 0; i < count; i++)
		if (is_line(&rows[i]) && rows[i].line.growth_mib >= most_mib) {
			moment->step = rows[i];
			most_mib = rows[i].line.growth_mib;
		}
}

/* Describes a process at the time of the row `at`: the line that it was executing, and the lines at which its memory
 * had grown until then. */
static void take_moment(struct code_moment *moment, struct span process, const struct code_row *at)
{
	struct code_list list;
	size_t count = (size_t)(at - process.rows);

	while (count < process.count && process.rows[count].time <= at->time)
		count++;
	list_rows(&list, process.rows, count);
	fold_lines(&list);
	array_sort(list.items, list.count, by_growth);
	*moment = (struct code_moment){
		.known = true, .time = at->time, .pid = at->pid, .memory_mib = at->line.memory_mib, .at = at->line};
	find_step(moment, process.rows, count);
	for (size_t i = 0; i < list.count && moment->count < CODE_GROWERS; i++)
		if (*list.items[i].file &&
			list.items[i].growth_mib >= fmax(GROWN_LEAST, GROWN_PART * known_first(at->line.memory_mib, 0)))
			moment->grew[moment->count++] = list.items[i];
	code_list_free(&list);
}

static size_t largest_tick(const struct series *process)
{
	size_t most = 0;

	for (size_t row = 1; row < process->rows; row++)
		if (series_value(process, PROCESS_memory_mib, row) >
			known_first(series_value(process, PROCESS_memory_mib, most), 0))
			most = row;
	return most;
}

void code_find_peak(struct code *code, const struct series *process)
{
	struct span holder = {NULL, 0};
	const struct code_row *most = NULL;
	double held_mib = 0;

	if (process->rows == 0)
		return;
	size_t tick = largest_tick(process);
	double time = series_value(process, PROCESS_timestamp, tick);
	double peak_mib = series_value(process, PROCESS_memory_mib, tick);
	for (size_t i = 0; i < code->rows.count;) {
		struct span one = next_process(code, i);
		const struct code_row *row = largest(rows_at(one, time));
		i += one.count;
		if (!row || !number_known(row->line.memory_mib))
			continue;
		held_mib += row->line.memory_mib;
		if (!most || row->line.memory_mib > most->line.memory_mib) {
			most = row;
			holder = one;
		}
	}
	if (most && held_mib >= PEAK_PART * peak_mib)
		take_moment(&code->peak, holder, most);
}

/* Returns the rows of a process up to the last row that has a line. Returns no rows if no row has a line. */
static struct span lines_of(const struct code *code, int pid)
{
	size_t from = 0, to = code->rows.count;

	while (from < to) {
		size_t middle = from + (to - from) / 2;
		if (code->rows.items[middle].pid < (double)pid)
			from = middle + 1;
		else
			to = middle;
	}
	struct span one = from < code->rows.count ? next_process(code, from) : (struct span){NULL, 0};
	if (one.count > 0 && one.rows[0].pid != (double)pid)
		one.count = 0;
	while (one.count > 0 && !is_line(&one.rows[one.count - 1]))
		one.count--;
	return one;
}

/* Returns the rows that have the same timestamp as the last row. */
static struct span last_tick(struct span one)
{
	struct span at = {NULL, 0};

	for (size_t i = one.count; i > 0 && one.rows[i - 1].time >= one.rows[one.count - 1].time; i--)
		at = (struct span){&one.rows[i - 1], at.count + 1};
	return at;
}

const struct code_line *code_latest(const struct code *code, int pid)
{
	struct span one = lines_of(code, pid);

	return one.count > 0 ? &one.rows[one.count - 1].line : NULL;
}

void code_find_death(struct code *code, int pid)
{
	struct span one = lines_of(code, pid);

	if (one.count > 0)
		take_moment(&code->death, one, largest(last_tick(one)));
}

/* -- in words --------------------------------------------------------------------------------------- */

double code_share(const struct code_list *list, const struct code_line *line)
{
	return line->samples >= CODE_SAMPLES_LEAST && list->cpu_seconds > 0 ? line->cpu_seconds / list->cpu_seconds
									    : UNKNOWN;
}

double code_total_share(const struct code_list *list, const struct code_line *function)
{
	return function->total_samples >= CODE_SAMPLES_LEAST && list->cpu_seconds > 0
		       ? function->total_cpu_seconds / list->cpu_seconds
		       : UNKNOWN;
}

double code_growth(const struct code_line *line)
{
	return line->growth_mib >= GROWN_LEAST ? line->growth_mib : UNKNOWN;
}

const char *code_name(const struct code_line *line, char name[CODE_NAME_SIZE])
{
	const char *slash = strrchr(line->file, '/');
	const char *file = line->cell ? line->cell : slash ? slash + 1 : line->file;
	char number[32] = "";

	if (number_known(line->line))
		snprintf(number, sizeof number, line->cell ? " line %.0f" : ":%.0f", line->line);
	if (*line->file == '\0')
		snprintf(name, CODE_NAME_SIZE, "(%.200s)", line->function);
	else if (*line->function == '\0')
		snprintf(name, CODE_NAME_SIZE, "%.200s%s", file, number);
	else
		snprintf(name, CODE_NAME_SIZE, "%.200s%s in %.200s", file, number, line->function);
	return name;
}

const char *code_library_file(const char *path)
{
	static const char *const folders[] = {"/site-packages/", "/dist-packages/", "/lib/python3", "/lib64/python3"};

	for (size_t i = 0; i < ARRAY_LENGTH(folders); i++) {
		const char *found = strstr(path, folders[i]);
		const char *slash = found ? strchr(found + strlen(folders[i]) - 1, '/') : NULL;
		if (slash)
			return slash + 1;
	}
	return path;
}

const char *code_library_name(const struct code_line *line, char name[CODE_NAME_SIZE])
{
	const char *file = code_library_file(line->file);

	snprintf(name, CODE_NAME_SIZE, *file ? "%.200s in %.200s" : "%s%.200s", file, line->function);
	return name;
}

void code_describe(const struct code_moment *of, const char *moment, char *text, size_t size)
{
	char name[CODE_NAME_SIZE];

	*text = '\0';
	if (!of->known)
		return;
	for (size_t i = 0; i < of->count; i++)
		units_append(text, size, "%s grew %s; ", code_name(&of->grew[i], name),
			units_figure(UNIT_mib, of->grew[i].growth_mib).text);
	units_append(text, size, "%s %s", moment, code_name(&of->at, name));
}

/* -- JSON ------------------------------------------------------------------------------------------- */

cJSON *code_place_json(const struct code_line *line)
{
	if (!line)
		return cJSON_CreateNull();
	cJSON *item = cJSON_CreateObject();

	cJSON_AddStringToObject(item, "language", line->language);
	if (*line->file)
		cJSON_AddStringToObject(item, "file", line->file);
	else
		cJSON_AddNullToObject(item, "file");
	json_add_number(item, "line", line->line, 0);
	cJSON_AddStringToObject(item, "function", line->function);
	return item;
}

static cJSON *line_json(const struct code_list *list, const struct code_line *line)
{
	cJSON *item = code_place_json(line);

	json_add_number(item, "samples", line->samples, 0);
	json_add_number(item, "samples_cut", line->samples_cut, 0);
	json_add_number(item, "seconds", line->seconds, 3);
	json_add_number(item, "cpu_seconds", line->cpu_seconds, 6);
	json_add_number(item, "cpu_share", code_share(list, line), 4);
	json_add_number(item, "memory_mib", line->memory_mib, 3);
	json_add_number(item, "memory_growth_mib", line->growth_mib, 3);
	return item;
}

/* Returns the number of items of a list for JSON, at most `limit`. */
static size_t count_json(const struct code_list *list, size_t limit)
{
	size_t count = list->count < limit ? list->count : limit;

	if (count <= BOUND_CODE_ITEMS)
		return count;
	message_print_once("'line.csv' cannot be shown whole: %s", BOUND_MESSAGE(CODE_ITEMS));
	return BOUND_CODE_ITEMS;
}

cJSON *code_list_json(const struct code_list *list, size_t limit)
{
	size_t count = count_json(list, limit);
	cJSON *array = cJSON_CreateArray();

	for (size_t i = 0; i < count; i++)
		cJSON_AddItemToArray(array, line_json(list, &list->items[i]));
	return array;
}

cJSON *code_moment_json(const struct code_moment *moment)
{
	if (!moment->known)
		return cJSON_CreateNull();
	cJSON *object = cJSON_CreateObject();
	json_add_number(object, "pid", moment->pid, 0);
	json_add_number(object, "memory_mib", moment->memory_mib, 3);
	cJSON_AddItemToObject(object, "at", code_place_json(&moment->at));
	cJSON *grew = cJSON_AddArrayToObject(object, "grew");
	for (size_t i = 0; i < moment->count; i++) {
		cJSON *item = code_place_json(&moment->grew[i]);
		json_add_number(item, "memory_growth_mib", moment->grew[i].growth_mib, 3);
		cJSON_AddItemToArray(grew, item);
	}
	return object;
}

void code_write_json(const struct code *code, cJSON *json)
{
	cJSON_AddItemToObject(json, "lines", code_list_json(&code->lines, SIZE_MAX));
	cJSON_AddItemToObject(json, "peak_lines", code_moment_json(&code->peak));
}

void code_write_functions_json(const struct code *code, bool deep, cJSON *json)
{
	cJSON *array = cJSON_AddArrayToObject(json, "functions");
	size_t all = count_json(&code->functions, SIZE_MAX);

	for (size_t i = 0; i < all; i++) {
		const struct code_line *function = &code->functions.items[i];
		cJSON *item = line_json(&code->functions, function);
		json_add_number(item, "total_cpu_seconds", function->total_cpu_seconds, 6);
		json_add_number(item, "total_cpu_share", code_total_share(&code->functions, function), 4);
		cJSON_AddItemToArray(array, item);
		if (!deep)
			continue;
		size_t count;
		const struct code_callee *callees = code_callees_of(code, function, &count);
		cJSON *library = cJSON_AddArrayToObject(item, "library");
		for (size_t j = 0; j < count; j++)
			cJSON_AddItemToArray(library, line_json(&code->functions, &callees[j].line));
	}
}
