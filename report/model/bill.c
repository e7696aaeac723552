/* SPDX-License-Identifier: Apache-2.0 */
/* Divides a run's totals among its programs or processes. */
#include "report/model/bill.h"

#include "core/number.h"
#include "report/say/array.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { CPU_DIGITS = 6, MEMORY_DIGITS = 3 };

static const char NOT_RECORDED[] = "(in no record)";

static int by_row_cpu(const void *a, const void *b)
{
	const struct bill_row *x = a;
	const struct bill_row *y = b;
	if (x->cpu_seconds != y->cpu_seconds)
		return ORDER(y->cpu_seconds, x->cpu_seconds);
	return x->process ? ORDER(x->process, y->process) : strcmp(x->program, y->program);
}

static void add_row(struct bill_row *sum, const struct bill_row *row)
{
	known_add(&sum->processes, row->processes);
	known_add(&sum->cpu_seconds, row->cpu_seconds);
	known_add(&sum->read_bytes, row->read_bytes);
	known_add(&sum->write_bytes, row->write_bytes);
	known_add(&sum->gpu_seconds, row->gpu_seconds);
	sum->peak_memory_mib = known_larger(sum->peak_memory_mib, row->peak_memory_mib);
	sum->peak_vram_mib = known_larger(sum->peak_vram_mib, row->peak_vram_mib);
}

static const struct bill_row no_row = {
	.cpu_seconds = UNKNOWN,
	.peak_memory_mib = UNKNOWN,
	.read_bytes = UNKNOWN,
	.write_bytes = UNKNOWN,
	.gpu_seconds = UNKNOWN,
	.peak_vram_mib = UNKNOWN,
};

struct bill_row bill_sum(const struct bill *bill, size_t first, size_t end)
{
	struct bill_row sum = no_row;
	for (size_t i = first; i < end; i++)
		add_row(&sum, &bill->rows[i]);
	return sum;
}

/* Returns total - sum, rounded to the precision of the total, or UNKNOWN if the result is 0. */
static double above(double total, double sum, double steps)
{
	if (!number_known(total))
		return UNKNOWN;
	double difference = round((total - (number_known(sum) ? sum : 0)) * steps) / steps;
	return difference != 0 ? difference : UNKNOWN;
}

/* Adds a row for the difference between the totals and the records, and computes the sum of all rows. */
static void add_difference(struct bill *bill, const struct totals *totals)
{
	struct bill_row sum = bill_sum(bill, 0, bill->count);
	struct bill_row row = {
		.program = NOT_RECORDED,
		.command = "",
		.processes = fmax(totals->processes - sum.processes, 0),
		.cpu_seconds = above(totals->cpu_seconds, sum.cpu_seconds, pow(10, CPU_DIGITS)),
		.peak_memory_mib = UNKNOWN,
		.read_bytes = above(totals->disk_read_bytes, sum.read_bytes, 1),
		.write_bytes = above(totals->disk_write_bytes, sum.write_bytes, 1),
		.gpu_seconds = UNKNOWN,
		.peak_vram_mib = UNKNOWN,
	};

	bill->has_difference =
		number_known(row.cpu_seconds) || number_known(row.read_bytes) || number_known(row.write_bytes);
	if (row.cpu_seconds < 0 || row.read_bytes < 0 || row.write_bytes < 0)
		row.program = "(correction)";
	if (bill->has_difference)
		bill->rows[bill->count++] = row;
	bill->all = bill_sum(bill, 0, bill->count);
	bill->all.peak_memory_mib = totals->peak_process_memory_mib;
}

struct label bill_label(const struct bill_row *row)
{
	/* In JSON, the row keeps the name that older versions used. */
	if (strcmp(row->program, NOT_RECORDED) == 0)
		return (struct label){"other, short-lived"};
	return label_of(row->program, row->command);
}

const struct bill_row *bill_difference(const struct bill *bill)
{
	static const double LEAST_SECONDS = 5e-4, LEAST_SHARE = 5e-3, LEAST_BYTES = 1;
	const struct bill_row *row = bill->rows + bill->count - 1;
	double least = fmin(LEAST_SECONDS, LEAST_SHARE * bill->all.cpu_seconds);

	return bill->has_difference &&
			       (row->processes > 0 || fabs(row->cpu_seconds) >= least ||
				       fabs(row->read_bytes) >= LEAST_BYTES || fabs(row->write_bytes) >= LEAST_BYTES)
		       ? row
		       : NULL;
}

/* -- by process ------------------------------------------------------------------------------------ */

/* Returns by how much the CPU time of all processes exceeds the total. */
static double excess_of(const struct processes *processes, const struct totals *totals)
{
	double sum = 0;

	for (size_t i = 0; i < processes->count; i++) {
		struct process_figures usage = process_best_usage(&processes->items[i]);
		sum += known_first(usage.user_seconds, 0) + known_first(usage.system_seconds, 0);
	}
	return fmax(sum - totals->cpu_seconds, 0);
}

/* Returns the row of a process. The CPU time of the root may include CPU time of the tracker in earlier programs of the
 * root (image_tracker). The total excludes this time, so up to `excess` seconds of it are subtracted. */
static struct bill_row row_of(const struct process *process, double excess)
{
	struct process_figures usage = process_best_usage(process);
	struct bill_row row = {
		.program = process_program(process),
		.command = process->command ? process->command : "",
		.process = process,
		.processes = 1,
		.cpu_seconds = usage.user_seconds,
		.peak_memory_mib = usage.peak_memory_mib,
		.read_bytes = usage.read_bytes,
		.write_bytes = usage.write_bytes,
		.gpu_seconds = process->gpu_seconds,
		.peak_vram_mib = process->peak_vram_mib,
	};
	known_add(&row.cpu_seconds, usage.system_seconds);
	if (!number_known(row.cpu_seconds))
		row.cpu_seconds = 0;
	row.cpu_seconds -= fmin(fmin(known_first(process->image_tracker, 0), excess), row.cpu_seconds);
	return row;
}

void bill_by_process(struct bill *bill, const struct processes *processes, const struct totals *totals)
{
	*bill = (struct bill){.rows = xcalloc(processes->count + 1, sizeof *bill->rows), .count = processes->count};
	double excess = excess_of(processes, totals);
	for (size_t i = 0; i < bill->count; i++)
		bill->rows[i] = row_of(&processes->items[i], excess);
	array_sort(bill->rows, bill->count, by_row_cpu);
	add_difference(bill, totals);
}

void bill_free(struct bill *bill)
{
	for (size_t i = 0; i < bill->programs; i++) {
		free((void *)bill->rows[i].program);
		free((void *)bill->rows[i].command);
	}
	free(bill->rows);
	free(bill->row_of);
	*bill = (struct bill){0};
}

/* -- by program ------------------------------------------------------------------------------------ */

struct named {
	struct text name;
	const struct process *process;
};

/* Returns the first word of a command line. Command lines are stored without quotes, so a path that contains a space
 * is cut at the space. */
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
	return order != 0 ? order : ORDER(a.length, b.length);
}

static int by_name(const void *a, const void *b)
{
	const struct named *x = a;
	const struct named *y = b;
	int order = compare_text(x->name, y->name);
	return order != 0 ? order : ORDER(x->process, y->process);
}

/* Returns the length of the longest common prefix of `a` and `b` that ends at a word boundary. */
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

/* Returns the command line of a process, with only the base name of its program. */
static struct text command_of(const struct process *process)
{
	if (!process->command)
		return TEXT("");
	struct text word = first_word(process->command);
	size_t path = word.length - text_basename(word).length;
	return (struct text){process->command + path, strlen(process->command + path)};
}

/* The rows were in the order of names and are now sorted by CPU time. Updates the indices in `row_of`. */
static void settle(struct bill *bill, size_t processes)
{
	size_t *place = xcalloc(bill->count, sizeof *place);

	for (size_t i = 0; i < bill->count; i++)
		place[bill->rows[i].group] = i;
	for (size_t i = 0; i < processes; i++)
		bill->row_of[i] = place[bill->row_of[i]];
	free(place);
}

/* Merges the processes of a program into one row. */
static void make_program(struct bill_row *row, const struct named *group, size_t count, double excess)
{
	struct text common = command_of(group[0].process);

	*row = no_row;
	for (size_t i = 0; i < count; i++) {
		struct bill_row own = row_of(group[i].process, excess);
		struct text command = command_of(group[i].process);
		size_t same = common_words(common, command);
		row->differs |= same < common.length || same < command.length;
		common.length = same;
		add_row(row, &own);
	}
	if (common.length == 0)
		common = group[0].name;
	row->program = xstrndup(group[0].name.data, group[0].name.length);
	row->command = xstrndup(common.data, common.length);
}

/* Creates one row for each program. `names` is sorted, so equal names are adjacent. */
static void make_programs(
	struct bill *bill, const struct named *names, const struct processes *processes, double excess)
{
	for (size_t i = 0, end; i < processes->count; i = end) {
		struct bill_row *row = &bill->rows[bill->count];
		for (end = i; end < processes->count && text_equal(names[end].name, names[i].name); end++)
			bill->row_of[names[end].process - processes->items] = bill->count;
		make_program(row, names + i, end - i, excess);
		row->group = bill->count++;
		bill->programs = bill->count;
	}
}

void bill_by_command(struct bill *bill, const struct processes *processes, const struct totals *totals)
{
	size_t count = processes->count;
	struct named *names = xcalloc(count, sizeof *names);

	*bill = (struct bill){
		.rows = xcalloc(count + 1, sizeof *bill->rows), .row_of = xcalloc(count, sizeof *bill->row_of)};
	for (size_t i = 0; i < count; i++)
		names[i] = (struct named){name_of(&processes->items[i]), &processes->items[i]};
	array_sort(names, count, by_name);
	make_programs(bill, names, processes, excess_of(processes, totals));
	free(names);
	array_sort(bill->rows, bill->count, by_row_cpu);
	settle(bill, count);
	add_difference(bill, totals);
}

/* -- JSON ------------------------------------------------------------------------------------------ */

static void add_process(cJSON *object, const struct process *process)
{
	cJSON_AddNumberToObject(object, "pid", (double)process->id.pid);
	json_add_number(object, "ppid", process->ppid, 0);
	json_add_number(object, "start_time", process->start_time, 3);
	json_add_number(object, "end_time", process->end_time, 3);
	json_add_number(object, "exit_code", process->exit_code, 0);
	json_add_number(object, "exit_signal", process->exit_signal, 0);
	cJSON_AddBoolToObject(object, "exact", process->exact);
}

cJSON *bill_json(const struct bill *bill)
{
	cJSON *array = cJSON_CreateArray();
	for (size_t i = 0; i < bill->count; i++) {
		const struct bill_row *row = &bill->rows[i];
		cJSON *object = cJSON_CreateObject();
		cJSON_AddStringToObject(object, "program", row->program);
		cJSON_AddStringToObject(object, "command", row->command);
		json_add_number(object, "processes", row->processes, 0);
		json_add_number(object, "cpu_seconds", row->cpu_seconds, CPU_DIGITS);
		json_add_number(object, "peak_memory_mib", row->peak_memory_mib, MEMORY_DIGITS);
		json_add_number(object, "disk_read_bytes", row->read_bytes, 0);
		json_add_number(object, "disk_write_bytes", row->write_bytes, 0);
		if (number_known(row->gpu_seconds))
			json_add_number(object, "gpu_seconds", row->gpu_seconds, MEMORY_DIGITS);
		if (number_known(row->peak_vram_mib))
			json_add_number(object, "peak_gpu_vram_mib", row->peak_vram_mib, MEMORY_DIGITS);
		if (row->process)
			add_process(object, row->process);
		cJSON_AddItemToArray(array, object);
	}
	return array;
}
