/* SPDX-License-Identifier: Apache-2.0 */
/* rtrack-report list --trend: lists the jobs of a spool, and shows how the runs of each job changed over time. */
#include "report/commands/commands.h"
#include "report/commands/many.h"
#include "report/say/json.h"
#include "report/say/terminal.h"
#include "report/page/site.h"
#include "report/say/alloc.h"
#include "report/text/table.h"

#include <stdlib.h>

enum { LINE_WIDTH = 24, JOB_LEAST = 12, ODD_SHOWN = 3 };

/* -- JSON ------------------------------------------------------------------------------------------ */

static cJSON *odd_json(const struct trend *trend)
{
	cJSON *list = cJSON_CreateArray();
	char text[200];

	for (size_t i = trend->count; i > 0; i--) {
		const struct trend_run *run = &trend->runs[i - 1];
		if (!*run->reason)
			continue;
		trend_describe(trend, run, text, sizeof text);
		cJSON *object = cJSON_CreateObject();
		cJSON_AddStringToObject(object, "id", run->id);
		cJSON_AddStringToObject(object, "status", run->status);
		cJSON_AddStringToObject(object, "figures", text);
		cJSON_AddStringToObject(object, "reason", run->reason);
		cJSON_AddItemToArray(list, object);
	}
	return list;
}

static cJSON *job_json(const struct site_job *job)
{
	static const char *const keys[TREND_FIGURES] = {
		"wall_seconds", "cpu_seconds", "peak_memory_mib", "memory_not_used_gib_hours", NULL};
	cJSON *object = cJSON_CreateObject();

	cJSON_AddStringToObject(object, "job", job->name);
	cJSON_AddNumberToObject(object, "runs", (double)job->trend.count);
	cJSON_AddNumberToObject(object, "not_finished", (double)job->failed);
	cJSON *medians = cJSON_AddObjectToObject(object, "medians");
	for (int figure = 0; figure < TREND_FIGURES; figure++)
		if (keys[figure])
			json_add_number(medians, keys[figure], job->trend.medians[figure], 6);
	cJSON_AddItemToObject(object, "out_of_line", odd_json(&job->trend));
	return object;
}

static int print_trend_json(const struct site *site, size_t limit)
{
	cJSON *list = cJSON_CreateArray();

	for (size_t i = 0; i < site->count && i < limit; i++)
		cJSON_AddItemToArray(list, job_json(&site->jobs[i]));
	return json_print(list);
}

/* -- text ------------------------------------------------------------------------------------------ */

/* Draws the durations of the latest runs as a sparkline of one character per run. The caller must free the result. */
static char *make_line(const struct terminal *terminal, const struct trend *trend)
{
	double values[TREND_WINDOW];
	size_t size, count = trend->count < LINE_WIDTH ? trend->count : LINE_WIDTH;
	char *text;
	struct terminal line = *terminal;

	for (size_t i = 0; i < count; i++)
		values[i] = trend->runs[trend->count - count + i].figures[TREND_seconds];
	line.colour = false;
	line.out = xopen_memstream(&text, &size);
	terminal_sparkline(&line, values, count, true, LINE_WIDTH);
	xclose_memstream(line.out);
	return text;
}

static void write_odd(const struct terminal *terminal, const struct trend *trend)
{
	size_t found = 0;
	char text[200], line[400];

	for (size_t i = trend->count; i > 0; i--) {
		const struct trend_run *run = &trend->runs[i - 1];
		if (!*run->reason || found++ >= ODD_SHOWN)
			continue;
		trend_describe(trend, run, text, sizeof text);
		fputs("  ", terminal->out);
		terminal_colour(terminal, run->finished ? COLOUR_warn : COLOUR_bad);
		unsigned used = 2 + terminal_text(terminal, run->id, terminal->width, 0);
		terminal_colour(terminal, COLOUR_plain);
		snprintf(line, sizeof line, " %s%s%s", text, *text ? ": " : "", run->reason);
		terminal_wrap(terminal, line, used, 4);
	}
	if (found > ODD_SHOWN) {
		snprintf(line, sizeof line, "  and %zu more: --format json has all", found - ODD_SHOWN);
		terminal_wrap(terminal, line, 0, 4);
	}
}

static void print_trend(const struct site *site, size_t limit)
{
	struct terminal terminal = terminal_of(stdout);
	struct text_table table = TABLE(&terminal, {"Job", TABLE_NAME, 0, 0}, {"Runs", TABLE_FIGURE, 5, 0},
		{"Failed", TABLE_FIGURE, 7, 0}, {"Duration", TABLE_FIGURE, 13, 0}, {"CPU", TABLE_FIGURE, 13, 0},
		{"Memory", TABLE_FIGURE, 9, 0}, {"", TABLE_REST, 0, 0});
	size_t count = site->count < limit ? site->count : limit;

	for (size_t i = 0; i < count; i++)
		table_see(&table, 0, site->jobs[i].name);
	unsigned others = table_fit(&table, JOB_LEAST, LINE_WIDTH + 1);
	bool drawn = terminal.whole || terminal.width >= table.columns[0].width + others;
	table_heading(&table);
	for (size_t i = 0; i < count; i++) {
		const struct site_job *job = &site->jobs[i];
		const struct trend *trend = &job->trend;
		char *line = make_line(&terminal, trend);
		table_row(&table, job->name, terminal_count((double)trend->count).text,
			terminal_count((double)job->failed).text, terminal_duration(trend->medians[TREND_seconds]).text,
			terminal_duration(trend->medians[TREND_cpu]).text,
			terminal_figure(UNIT_mib, trend->medians[TREND_memory]).text, drawn ? line : "");
		free(line);
		write_odd(&terminal, trend);
	}
}

int list_trend_command(const struct options *options, const char *spool)
{
	double wanted = options->number[OPTION_limit];
	size_t limit = number_known(wanted) && wanted < 1e9 ? (size_t)wanted : SIZE_MAX;
	const struct choice choice = options_choice(options);
	struct spools spools;
	struct site site;
	int status = EXIT_DONE;

	spools_find(&spools, options->spools, options->spool_count, spool);
	if (site_read(&site, spools.items, spools.count, &choice) != 0) {
		spools_free(&spools);
		return EXIT_NO_DATA;
	}
	if (options->json) {
		status = print_trend_json(&site, limit);
	} else if (site.count > 0) {
		print_trend(&site, limit);
	} else {
		status = runs_say_none_listed(spool, site.run_count, NULL);
	}
	site_free(&site);
	spools_free(&spools);
	return status;
}
