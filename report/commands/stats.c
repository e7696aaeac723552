/* SPDX-License-Identifier: Apache-2.0 */
/* rtrack-report stats: prints the statistics of a run and of its history. */
#include "report/commands/commands.h"

#include "report/model/energy.h"
#include "report/model/exact.h"
#include "report/model/group.h"
#include "report/history/history.h"
#include "report/say/terminal.h"
#include "report/text/show.h"

#include <stdlib.h>
#include <string.h>

enum { COLUMN_WIDTH = 26, STATISTIC_WIDTH = 9, GROUP_WIDTH = 3 * STATISTIC_WIDTH };

static struct figure figure_of(const struct column *column, double value)
{
	static const struct {
		const char *name;
		enum unit unit;
	} units[] = {{"CPUs", UNIT_cpus}, {"GPUs", UNIT_gpus}, {"MiB", UNIT_mib}, {"GB", UNIT_gb}, {"B", UNIT_bytes}};

	if (strcmp(column_unit(column), "s") == 0)
		return terminal_duration(value);
	for (size_t i = 0; i < ARRAY_LENGTH(units); i++)
		if (strcmp(column_unit(column), units[i].name) == 0)
			return terminal_figure(units[i].unit, value);
	return terminal_figure(UNIT_count, value);
}

static bool is_known(const struct statistic *figure)
{
	return number_known(figure->mean) || number_known(figure->max) || number_known(figure->sum);
}

static void write_statistic(FILE *out, const struct column *column, const struct statistic *figure, bool last)
{
	const char *none = "";
	struct figure mean = figure_of(column, figure->mean);
	struct figure max = figure_of(column, figure->max);

	switch (column_aggregate(column)) {
	case AGGREGATE_SUM:
		fprintf(out, "%*s", GROUP_WIDTH, figure_of(column, figure->sum).text);
		break;
	case AGGREGATE_MAX:
		fprintf(out, "%*s%*s", 2 * STATISTIC_WIDTH, max.text, last ? 0 : STATISTIC_WIDTH, none);
		break;
	default:
		fprintf(out, "%*s%*s%*s", STATISTIC_WIDTH, mean.text, STATISTIC_WIDTH, max.text,
			last ? 0 : STATISTIC_WIDTH, none);
	}
}

/* Returns whether the figures do not fit next to their label and need a line of their own. */
static bool is_narrow(const struct terminal *terminal)
{
	return terminal->width < COLUMN_WIDTH + GROUP_WIDTH && !terminal->whole;
}

static void begin_line(const struct terminal *terminal, const char *label)
{
	if (is_narrow(terminal))
		fprintf(terminal->out, "%s\n", label);
	else
		fprintf(terminal->out, "%-*s", COLUMN_WIDTH, label);
}

/* Returns the number of earlier runs to show. It is 0 if the terminal has no room for their figures; otherwise all are
 * shown. */
static size_t shown_runs(const struct terminal *terminal, const struct history *history)
{
	return terminal->whole || terminal->width >= COLUMN_WIDTH + 2 * GROUP_WIDTH ? history->count : 0;
}

/* Writes the job, followed by the run's group, rank and labels. Returns whether the run has any of these three; the
 * heading of the table is then on the next line. */
static bool write_job_with_labels(const struct terminal *terminal, const struct run *run)
{
	char *labels = run_labels_line(run);
	bool labelled = labels && *labels;
	unsigned width = COLUMN_WIDTH - 2, pad = is_narrow(terminal) || labelled ? 0 : COLUMN_WIDTH;

	unsigned used = terminal_text_in(terminal, COLOUR_strong, run->job, width, pad);
	if (labelled) {
		fputs("; ", terminal->out);
		terminal_text(terminal, labels, terminal->width > used + 2 ? terminal->width - used - 2 : 0, 0);
	}
	free(labels);
	return labelled;
}

static void write_statistics_heading(const struct terminal *terminal, const struct run *run, size_t runs)
{
	char title[64] = "";

	bool labelled = write_job_with_labels(terminal, run);
	if (runs > 0)
		snprintf(title, sizeof title, runs == 1 ? "the run before it" : "%zu runs before it", runs);
	terminal_colour(terminal, COLOUR_dim);
	if (is_narrow(terminal) || labelled)
		fputc('\n', terminal->out);
	fprintf(terminal->out, "%*s", labelled && !is_narrow(terminal) ? COLUMN_WIDTH : 0, "");
	fprintf(terminal->out, "%*s%s%*s\n", GROUP_WIDTH, "this run", "", runs > 0 ? GROUP_WIDTH : 0, title);
	fprintf(terminal->out, "%*s", is_narrow(terminal) ? 0 : COLUMN_WIDTH, "");
	for (int group = 0; group < (runs > 0 ? 2 : 1); group++)
		fprintf(terminal->out, "%*s%*s%*s", STATISTIC_WIDTH, "mean", STATISTIC_WIDTH, "peak", STATISTIC_WIDTH,
			"total");
	fputc('\n', terminal->out);
	terminal_colour(terminal, COLOUR_plain);
}

/* Writes the duration from start to end. Only JSON also contains the statistic of the predecessor, which counts whole
 * intervals. */
static void write_duration(const struct terminal *terminal, const struct totals *totals, const struct history *history)
{
	begin_line(terminal, "Duration");
	fprintf(terminal->out, "%*s", GROUP_WIDTH, terminal_duration(totals->wall_seconds).text);
	if (shown_runs(terminal, history) > 0)
		fprintf(terminal->out, "%*s", GROUP_WIDTH,
			terminal_duration(history_mean(history, TOTAL_wall_seconds)).text);
	fputc('\n', terminal->out);
}

static void write_statistics(const struct terminal *terminal, const struct model *model, const struct history *history)
{
	enum stat_id ids[STAT_COUNT];
	size_t runs = shown_runs(terminal, history);

	stats_order(ids);
	for (size_t i = 0; i < STAT_COUNT; i++) {
		struct statistic now = model_statistic(model, ids[i]), before = history_statistic(history, ids[i]);
		const struct column *column = stats_column(ids[i]);
		if (!is_known(&now) && (runs == 0 || !is_known(&before)))
			continue;
		bool rss = model->memory_is_rss && ids[i] == STAT_process_memory_mib;
		begin_line(terminal, rss ? "Memory of the job (RSS)" : column_label(column));
		write_statistic(terminal->out, column, &now, runs == 0);
		if (runs > 0)
			write_statistic(terminal->out, column, &before, true);
		fputc('\n', terminal->out);
	}
}

static void write_total(const struct terminal *terminal, const char *label, struct figure figure)
{
	if (figure.text[0] == '-')
		return;
	begin_line(terminal, label);
	fprintf(terminal->out, "%*s\n", GROUP_WIDTH, figure.text);
}

static void write_totals(const struct terminal *terminal, const struct model *model)
{
	const struct totals *totals = &model->totals;
	const struct run *run = model->run;

	terminal_put(terminal, COLOUR_dim, "\nTotals\n");
	/* The duration and the means were already written, together with those of earlier runs. */
	for (int i = TOTAL_wall_seconds + 1; i < TOTAL_COUNT; i++) {
		bool least = i == TOTAL_processes && !totals->exact_processes;
		if (totals_is_told(totals, run, (enum total_id)i))
			write_total(terminal, least ? "Processes, lower bound" : total_table[i].label,
				terminal_figure(total_table[i].unit, total_value(totals, (enum total_id)i)));
		if (i == TOTAL_peak_memory_mib && model->limit.own)
			write_total(terminal, "  its limit", terminal_figure(UNIT_mib, model->limit.mib));
	}
	if (exactness_missing_records(run)) {
		fputs("Missing: ", terminal->out);
		terminal_wrap(terminal, exactness_missing_records(run), sizeof "Missing: " - 1, 0);
	}
}

static int print_statistics(const struct model *model, size_t history_runs)
{
	struct terminal terminal = terminal_of(stdout);
	const struct run *run = model->run;
	struct history history;

	history_read(&history, run, history_runs);
	write_statistics_heading(&terminal, run, shown_runs(&terminal, &history));
	write_statistics(&terminal, model, &history);
	write_duration(&terminal, &model->totals, &history);
	write_totals(&terminal, model);
	history_free(&history);
	return EXIT_DONE;
}

/* -- several runs ---------------------------------------------------------------------------------- */

static int print_group_json(const struct model *model)
{
	const struct group *group = model->group;
	cJSON *json = cJSON_CreateObject();

	cJSON_AddStringToObject(json, "group", group->id);
	cJSON_AddStringToObject(json, "job", group->parts[0].run.job);
	cJSON_AddItemToObject(json, "stats", stats_json(&model->stats));
	cJSON *totals = cJSON_AddObjectToObject(json, "totals");
	totals_write_json(&model->totals, totals);
	json_add_number(totals, "sum_of_peaks_mib", group->peak_sum_mib, 3);
	code_write_json(&model->code, json);
	group_write_json(group, json);
	return json_print(json);
}

static int print_group(const struct model *model)
{
	const struct group *group = model->group;
	const struct history none = {0};
	struct terminal terminal = terminal_of(stdout);
	char text[1000];

	terminal_text_in(&terminal, COLOUR_strong, group->id, terminal.width, 0);
	group_describe(group, text, sizeof text);
	fputs(": ", terminal.out);
	terminal_wrap(&terminal, text, (unsigned)strlen(group->id) + 2, 2);
	fputc('\n', terminal.out);
	write_duration(&terminal, &model->totals, &none);
	write_totals(&terminal, model);
	write_total(&terminal, total_table[TOTAL_mean_cpu_usage].label,
		terminal_figure(UNIT_cpus, model->totals.mean_cpu_usage));
	write_total(&terminal, "Sum of all peaks", terminal_figure(UNIT_mib, group->peak_sum_mib));
	fputc('\n', terminal.out);
	group_write_text(&terminal, group);
	return EXIT_DONE;
}

struct model_wish stats_wish(const struct options *options)
{
	return (struct model_wish){.sections = MODEL_STATS | (options->json ? MODEL_LINES : 0u)};
}

int stats_model(const struct options *options, const struct model *model)
{
	double runs = options->number[OPTION_runs];
	size_t history_runs = number_known(runs) ? (size_t)runs : HISTORY_RUNS;
	int status = EXIT_DONE;

	if (!energy_carbon_is_right())
		return EXIT_USAGE;
	if (model->group)
		return options->json ? print_group_json(model) : print_group(model);
	if (model->usable || !model->run->problem)
		status = options->json ? json_print(history_json(model, history_runs))
				       : print_statistics(model, history_runs);
	return status == EXIT_DONE ? exit_of(model_check(model)) : status;
}
