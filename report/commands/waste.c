/* SPDX-License-Identifier: Apache-2.0 */
/* rtrack-report waste: lists the requested but unused resources of each job, largest first.
 *
 * If every price is known, rows are sorted by money. Without prices, memory and CPUs cannot be compared, so rows are
 * sorted by GiB-hours and then by CPU-hours. */
#include "report/commands/commands.h"
#include "report/commands/many.h"

#include "report/advice/waste_price.h"
#include "report/say/array.h"
#include "report/text/table.h"
#include "report/commands/advice.h"

#include <stdlib.h>
#include <string.h>

enum { JOB_LEAST = 11 };

struct row {
	const char *job;
	struct waste waste;
	size_t place;         /* index of the row after end_rows, which removes rows without a known request */
	size_t died;          /* number of runs in which a process ran out of memory */
	double counted_hours; /* total duration in hours of the runs that the sum of all rows includes */
	struct waste_money money;
};

struct wasted {
	struct row *rows;
	size_t count;
	struct job_run *runs; /* runs of all jobs; the `job` of a run is an index into `rows` */
	size_t run_count;
	struct row all;
	bool priced;    /* whether all rows have a price, and all prices are in one currency */
	size_t unasked; /* number of runs without a known request */
	/* Number of nested runs that the sum of all rows excludes, because their outer runs include them. */
	size_t within;
};

/* -- figures --------------------------------------------------------------------------------------- */

/* Adds each run to its row, and removes rows without a known request. */
static void end_rows(struct wasted *table)
{
	size_t kept = 0;

	for (size_t i = 0; i < table->run_count; i++) {
		const struct job_run *run = &table->runs[i];
		struct row *row = &table->rows[run->job];
		table->unasked += !run->asked;
		row->died += run->asked && run->digest.use.end == USE_DIED;
		waste_join(&row->waste, &run->waste);
	}
	for (size_t i = 0; i < table->count; i++) {
		table->all.died += table->rows[i].died;
		table->rows[i].place = table->rows[i].waste.runs > 0 ? kept++ : table->count;
	}
	for (size_t i = 0; i < table->run_count; i++)
		table->runs[i].job = table->rows[table->runs[i].job].place;
	for (size_t i = 0; i < table->count; i++)
		if (table->rows[i].place < table->count)
			table->rows[table->rows[i].place] = table->rows[i];
	table->count = kept;
}

/* Adds prices to the rows. Returns 0, or -1 after a message. */
static int price_rows(struct wasted *table, const struct options *options)
{
	struct price_question question = advice_prices(options);
	int result = 0;

	for (size_t i = 0; result == 0 && i < table->count; i++)
		result = waste_price(&table->rows[i].money, &table->rows[i].waste, &question, i > 0);
	return result;
}

/* Sums the money of the rows. A row counts in proportion to its hours in the sum of all rows. */
static void add_money(struct wasted *table)
{
	struct waste_money *money = &table->all.money;

	for (size_t i = 0; i < table->count; i++) {
		const struct row *row = &table->rows[i];
		double between = row->money.between * row->counted_hours / row->waste.hours;
		if (i == 0)
			*money = row->money;
		money->between = i == 0                                              ? between
				 : strcmp(money->currency, row->money.currency) == 0 ? money->between + between
										     : UNKNOWN;
	}
	table->priced = number_known(money->between);
}

static void add_up(struct wasted *table)
{
	for (size_t i = 0; i < table->run_count; i++) {
		const struct job_run *run = &table->runs[i];
		table->within += run->asked && run->asked_around;
		if (!run->asked || run->asked_around)
			continue;
		waste_join(&table->all.waste, &run->waste);
		table->rows[run->job].counted_hours += run->waste.hours;
	}
	add_money(table);
}

static int by_amount(const void *a, const void *b)
{
	const struct row *first = a, *second = b;
	int order = 0;

	for (int kind = 0; order == 0 && kind < WASTE_KINDS; kind++)
		order = ORDER(waste_between(&second->waste, (enum waste_kind)kind),
			waste_between(&first->waste, (enum waste_kind)kind));
	return order != 0 ? order : strcmp(first->job, second->job);
}

static int by_money(const void *a, const void *b)
{
	const struct row *first = a, *second = b;
	int order = ORDER(second->money.between, first->money.between);
	return order != 0 ? order : by_amount(a, b);
}

/* Reads and sums all jobs. Returns 0, or -1 after a message. */
static int fill(struct wasted *table, const struct jobs *jobs, const struct options *options)
{
	table->rows = xcalloc(jobs->count, sizeof *table->rows);
	table->count = jobs->count;
	for (size_t i = 0; i < jobs->count; i++)
		table->rows[i] = (struct row){.job = jobs->items[i].name, .money = {.between = UNKNOWN}};
	table->runs = jobs_read_runs(jobs, &table->run_count);
	end_rows(table);
	if (price_rows(table, options) != 0)
		return -1;
	add_up(table);
	qsort(table->rows, table->count, sizeof *table->rows, table->priced ? by_money : by_amount);
	return 0;
}

/* -- text ------------------------------------------------------------------------------------------ */

static struct figure hours_figure(const struct waste_sum *sum, double value)
{
	return sum->runs > 0 ? units_hours(value) : (struct figure){"-"};
}

static void write_waste(const struct text_table *table, const struct row *row)
{
	const struct waste_sum *memory = &row->waste.of[WASTE_MEMORY], *cpu = &row->waste.of[WASTE_CPU],
			       *gpu = &row->waste.of[WASTE_GPU];

	table_row(table, row->job, terminal_count((double)row->waste.runs).text,
		hours_figure(memory, memory->asked).text, hours_figure(memory, memory->used).text,
		hours_figure(cpu, cpu->asked).text, hours_figure(cpu, cpu->used).text,
		hours_figure(gpu, gpu->asked).text,
		number_known(row->money.between) ? units_money(row->money.between, row->money.currency).text : "-");
}

/* Writes a note on runs that were left out. If stdout is a pipe, omits the note, so that the sum is the last line. */
static void write_left_out(const struct terminal *terminal, const char *without, size_t runs, const char *which)
{
	char line[100];

	if (runs == 0 || terminal->whole)
		return;
	snprintf(line, sizeof line, "%s %zu run%s %s.", without, runs, runs == 1 ? "" : "s", which);
	terminal_dim_line(terminal, line);
}

static void print_waste(const struct wasted *sums, double limit)
{
	struct terminal terminal = terminal_of(stdout);
	struct text_table table = TABLE(&terminal, {"Job", TABLE_NAME, 0, 0}, {"Runs", TABLE_FIGURE, 6, 0},
		{"requested", TABLE_FIGURE, 9, 0}, {"used", TABLE_FIGURE, 8, 0}, {"requested", TABLE_FIGURE, 9, 0},
		{"used", TABLE_FIGURE, 8, 0}, {"requested", TABLE_FIGURE, 9, 0}, {"in money", TABLE_FIGURE, 13, 0});
	static const char *const units[] = {"", "", "GiB-hours", "", "CPU-hours", "", "GPU-hours", "Not used,"};
	size_t count = limit < (double)sums->count ? (size_t)limit : sums->count;

	for (size_t i = 0; i < count; i++)
		table_see(&table, 0, sums->rows[i].job);
	(void)table_fit(&table, JOB_LEAST, 0);
	table_write(&table, COLOUR_dim, units);
	table_heading(&table);
	for (size_t i = 0; i < count; i++)
		write_waste(&table, &sums->rows[i]);
	if (sums->count > 1)
		write_waste(&table, &sums->all);
	write_left_out(&terminal, "Left out:", sums->unasked, "without a known request");
	write_left_out(&terminal, "Out of memory:", sums->all.died, "(rtrack-report list --status oom)");
	if (sums->count > 1)
		write_left_out(&terminal, "The sum is without", sums->within, "within another with a request");
}

/* -- JSON ------------------------------------------------------------------------------------------ */

static void add_kind(cJSON *object, const char *name, const char *asked_name, const struct waste_sum *sum)
{
	cJSON *part = cJSON_AddObjectToObject(object, name);
	bool known = sum->runs > 0;

	cJSON_AddNumberToObject(part, "runs", (double)sum->runs);
	json_add_number(part, asked_name, known && sum->asked_most > 0 ? sum->asked_most : UNKNOWN, 3);
	json_add_number(part, "used_most", known && sum->asked_most > 0 ? sum->used_most : UNKNOWN, 3);
	json_add_number(part, "asked", known ? sum->asked : UNKNOWN, 6);
	json_add_number(part, "used", known ? sum->used : UNKNOWN, 6);
	json_add_number(part, "between", known ? sum->asked - sum->used : UNKNOWN, 6);
}

static cJSON *row_json(const struct row *row)
{
	cJSON *object = cJSON_CreateObject();

	if (row->job)
		cJSON_AddStringToObject(object, "job", row->job);
	cJSON_AddNumberToObject(object, "runs", (double)row->waste.runs);
	json_add_number(object, "hours", row->waste.hours, 6);
	cJSON_AddNumberToObject(object, "out_of_memory", (double)row->died);
	add_kind(object, "memory_gib_hours", "asked_most", &row->waste.of[WASTE_MEMORY]);
	add_kind(object, "cpu_hours", "asked_most", &row->waste.of[WASTE_CPU]);
	add_kind(object, "gpu_hours", "asked_most", &row->waste.of[WASTE_GPU]);
	json_add_number(object, "money", row->money.between, 6);
	json_add_string(object, "currency", number_known(row->money.between) ? row->money.currency : NULL);
	return object;
}

static int print_waste_json(const struct wasted *table, double limit)
{
	cJSON *json = cJSON_CreateObject();
	cJSON *jobs = cJSON_AddArrayToObject(json, "jobs");
	struct row all = table->all;

	for (size_t i = 0; i < table->count && !((double)i >= limit); i++)
		cJSON_AddItemToArray(jobs, row_json(&table->rows[i]));
	all.job = NULL;
	cJSON_AddItemToObject(json, "all", row_json(&all));
	return json_print(json);
}

/* Prints why the table is empty. */
static int say_why_empty(const char *spool, const struct jobs *jobs, const char *glob)
{
	char text[256];

	if (jobs->count > 0 || !glob)
		return runs_say_none_listed(spool, jobs->runs.count, "no run here has a known request");
	snprintf(text, sizeof text, "no job matches '%s'", glob);
	return runs_say_none_listed(spool, jobs->runs.count, text);
}

int waste_command(const struct options *options, const char *spool)
{
	struct wasted table = {.all = {.job = "all", .money = {.between = UNKNOWN}}};
	double limit = options->number[OPTION_limit];
	struct jobs jobs;
	int status = EXIT_NO_DATA;

	if (options_list_jobs(&jobs, options, spool) != 0)
		return EXIT_NO_DATA;
	if (fill(&table, &jobs, options) == 0) {
		status = EXIT_DONE;
		if (options->json)
			status = print_waste_json(&table, limit);
		else if (table.count > 0)
			print_waste(&table, limit);
		else
			status = say_why_empty(jobs.runs.spool, &jobs, options->text[OPTION_job]);
	}
	job_runs_free(table.runs, table.run_count);
	free(table.rows);
	jobs_free(&jobs);
	return status;
}
