/* rtrack-report waste: what the runs of each job asked for and did not use, the most first.
 *
 * The order is that of money where every price is known, else that of GiB-hours and then of CPU-hours: what a GiB-hour
 * is to a CPU-hour is nowhere but in a price. */
#include "report/commands/commands.h"

#include "report/advice/waste_price.h"
#include "report/jobs/jobs.h"
#include "report/say/message.h"
#include "report/say/terminal.h"
#include "report/wish/advice.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { WASTE_REST_WIDTH = 67 /* of the columns behind the job */, WASTE_JOB_LEAST = 11 };

struct row {
	const char *job;
	struct waste waste;
	struct waste_money money;
};

struct wasted {
	struct row *rows;
	size_t count;
	struct row all;
	bool priced;    /* of all rows, in one currency */
	size_t unasked; /* runs of which nothing is known to have been asked for */
};

/* -- figures --------------------------------------------------------------------------------------- */

/* Returns 0, or -1 after a message. */
static int read_row(struct row *row, struct wasted *table, const struct jobs *jobs, const struct job *job,
	const struct options *options)
{
	bool quiet = table->count > 0;
	struct price_question question = advice_prices(options);
	struct uses uses;

	*row = (struct row){.job = job->name, .money = {.between = UNKNOWN}};
	if (jobs_read_uses(&uses, jobs, job, job->count) != 0) {
		message_print("no memory");
		return -1;
	}
	for (size_t i = 0; i < uses.count; i++)
		waste_add(&row->waste, &uses.items[i]);
	table->unasked += uses.count - row->waste.runs;
	uses_free(&uses);
	return row->waste.runs > 0 ? waste_price(&row->money, &row->waste, &question, quiet) : 0;
}

static void add_waste(struct wasted *table, const struct row *row)
{
	struct waste *all = &table->all.waste;
	struct waste_money *money = &table->all.money;

	all->runs += row->waste.runs;
	all->hours += row->waste.hours;
	for (int kind = 0; kind < WASTE_KINDS; kind++) {
		all->of[kind].runs += row->waste.of[kind].runs;
		all->of[kind].asked += row->waste.of[kind].asked;
		all->of[kind].used += row->waste.of[kind].used;
	}
	if (table->count == 0)
		*money = row->money;
	else
		money->between += strcmp(money->currency, row->money.currency) == 0 ? row->money.between : UNKNOWN;
	table->priced = number_known(money->between);
	table->rows[table->count++] = *row;
}

static int larger_first(double a, double b)
{
	return (a < b) - (a > b);
}

static int by_amount(const void *a, const void *b)
{
	const struct row *first = a, *second = b;
	int order = 0;

	for (int kind = 0; order == 0 && kind < WASTE_KINDS; kind++)
		order = larger_first(waste_between(&first->waste, (enum waste_kind)kind),
			waste_between(&second->waste, (enum waste_kind)kind));
	return order != 0 ? order : strcmp(first->job, second->job);
}

static int by_money(const void *a, const void *b)
{
	const struct row *first = a, *second = b;
	int order = larger_first(first->money.between, second->money.between);
	return order != 0 ? order : by_amount(a, b);
}

static int fill(struct wasted *table, const struct jobs *jobs, const struct options *options)
{
	table->rows = calloc(jobs->count + 1, sizeof *table->rows);
	if (!table->rows) {
		message_print("no memory");
		return -1;
	}
	for (size_t i = 0; i < jobs->count; i++) {
		struct row row;
		if (read_row(&row, table, jobs, &jobs->items[i], options) != 0)
			return -1;
		if (row.waste.runs > 0)
			add_waste(table, &row);
	}
	qsort(table->rows, table->count, sizeof *table->rows, table->priced ? by_money : by_amount);
	return 0;
}

/* -- text ------------------------------------------------------------------------------------------ */

static struct figure hours_figure(const struct waste_sum *sum, double value)
{
	return sum->runs > 0 ? units_hours(value) : (struct figure){"-"};
}

static void write_waste(const struct terminal *terminal, unsigned width, const struct row *row)
{
	terminal_colour(terminal, COLOUR_strong);
	terminal_text(terminal, row->job, width, width);
	terminal_colour(terminal, COLOUR_plain);
	fprintf(terminal->out, "%7zu", row->waste.runs);
	for (int kind = WASTE_MEMORY; kind <= WASTE_GPU; kind++) {
		const struct waste_sum *sum = &row->waste.of[kind];
		fprintf(terminal->out, "%*s", kind == WASTE_MEMORY ? 10 : 9, hours_figure(sum, sum->asked).text);
		if (kind != WASTE_GPU)
			fprintf(terminal->out, "%9s", hours_figure(sum, sum->used).text);
	}
	fprintf(terminal->out, "%14s\n",
		number_known(row->money.between) ? units_money(row->money.between, row->money.currency).text : "-");
}

/* For people: into a pipe the sum is the last line. */
static void write_unasked(const struct terminal *terminal, const struct wasted *table)
{
	char line[100];

	if (table->unasked == 0 || terminal->whole)
		return;
	snprintf(line, sizeof line, "Without %zu run%s that asked for nothing that is known.", table->unasked,
		table->unasked == 1 ? "" : "s");
	terminal_dim_line(terminal, line);
}

static void print_waste(const struct wasted *table, double limit)
{
	struct terminal terminal = terminal_of(stdout);
	unsigned longest = 0;

	for (size_t i = 0; i < table->count && !((double)i >= limit); i++) {
		unsigned columns = terminal_columns(&terminal, table->rows[i].job);
		longest = columns > longest ? columns : longest;
	}
	unsigned width = terminal_column_width(&terminal, longest, WASTE_JOB_LEAST, WASTE_REST_WIDTH);

	terminal_colour(&terminal, COLOUR_dim);
	fprintf(terminal.out, "%-*s%7s%10s%9s%9s%9s%9s%14s\n", (int)width, "", "", "GiB h", "GiB h", "CPU h", "CPU h",
		"GPU h", "Not used,");
	fprintf(terminal.out, "%-*s%7s%10s%9s%9s%9s%9s%14s\n", (int)width, "Job", "Runs", "asked", "used", "asked",
		"used", "asked", "in money");
	terminal_colour(&terminal, COLOUR_plain);
	for (size_t i = 0; i < table->count && !((double)i >= limit); i++)
		write_waste(&terminal, width, &table->rows[i]);
	if (table->count > 1)
		write_waste(&terminal, width, &table->all);
	write_unasked(&terminal, table);
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
	add_kind(object, "memory_gib_hours", "asked_most", &row->waste.of[WASTE_MEMORY]);
	add_kind(object, "cpu_hours", "asked_most", &row->waste.of[WASTE_CPU]);
	add_kind(object, "gpu_hours", "asked_most", &row->waste.of[WASTE_GPU]);
	json_add_number(object, "money", row->money.between, 6);
	if (number_known(row->money.between))
		cJSON_AddStringToObject(object, "currency", row->money.currency);
	else
		cJSON_AddNullToObject(object, "currency");
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

int waste_command(const struct options *options, const char *spool)
{
	struct wasted table = {.all = {.job = "all", .money = {.between = UNKNOWN}}};
	double limit = options->number[OPTION_limit];
	struct jobs jobs;
	int status = EXIT_NO_DATA;

	if (jobs_list(&jobs, spool, options->text[OPTION_job], options->number[OPTION_since]) != 0) {
		runs_say_unlisted(spool, errno);
		return EXIT_NO_DATA;
	}
	if (fill(&table, &jobs, options) == 0) {
		status = EXIT_DONE;
		if (options->json)
			status = exit_of(print_waste_json(&table, limit));
		else if (table.count > 0)
			print_waste(&table, limit);
		else
			message_print("no run here says what was asked for");
		if (table.count == 0 && !options->json)
			status = EXIT_NO_DATA;
	}
	free(table.rows);
	jobs_free(&jobs);
	return status;
}
