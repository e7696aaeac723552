/* SPDX-License-Identifier: Apache-2.0 */
/* rtrack-report show: shows a run on one screen.
 *
 * show_summary.c writes the screen of twelve lines. With -v, the screen also shows each figure with information that
 * helps to judge it, and the programs. Figures that are not exact are marked. */
#define _GNU_SOURCE
#include "report/commands/commands.h"

#include "report/advice/split.h"
#include "report/model/output.h"
#include "report/model/energy.h"
#include "report/model/exact.h"
#include "report/commands/advice.h"
#include "report/commands/show_summary.h"
#include "report/history/history.h"
#include "report/history/inner_jobs_read.h"
#include "report/model/group.h"
#include "report/say/alloc.h"
#include "report/say/utf8.h"
#include "report/spool/unit.h"
#include "report/text/show.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

struct told {
	struct show_view view;
	const struct recommendation *recommendation;
	bool terse; /* whether to omit details that the page also shows, because the terminal has too few lines */
};

/* Appends that the machine has less memory than the request, if so. */
static void append_lack(const struct told *told, char *text, size_t size)
{
	double machine_mib = recommend_machine_mib(told->view.model);

	if (told->recommendation->resources.memory_mib > machine_mib)
		units_append(text, size, " (the machine has only %s)", terminal_figure(UNIT_mib, machine_mib).text);
}

static void write_next(const struct told *told)
{
	const struct resources *resources = &told->recommendation->resources;
	char price[400];
	char gpus[64] = "", lacks[80] = "";
	char cpus[RESOURCES_RANKS_SIZE], requested[SHOW_TEXT_SIZE];

	if (!number_known(resources->cpu))
		return;
	show_describe_price(told->recommendation, price, sizeof price);
	if (!*resources_describe_ranks(resources, cpus))
		snprintf(cpus, sizeof cpus, "%s CPU%s", terminal_count(resources->cpu).text,
			resources->cpu > 1 ? "s" : "");
	terminal_replace(&told->view.terminal, cpus);
	if (resources->gpu > 0)
		snprintf(gpus, sizeof gpus, ", %s GPU%s", terminal_count(resources->gpu).text,
			resources->gpu > 1 ? "s" : "");
	append_lack(told, lacks, sizeof lacks);
	show_line(&told->view, "Request", cpus, "%s%s%s%s%s%s%s", terminal_figure(UNIT_mib, resources->memory_mib).text,
		resources->spread ? " on each machine" : "", lacks, gpus, resources->seconds > 0 ? ", " : "",
		resources->seconds > 0 ? terminal_duration(resources->seconds).text : "", price);
	if (*show_describe_requested(&told->view.model->asked, requested))
		show_text(&told->view, "  before", requested);
}

static void write_phases(const struct told *told)
{
	const struct phases *phases = &told->view.model->phases;
	struct split split = recommend_split(told->recommendation, phases);
	char rest[1024];

	if (phases->count == 0)
		return;
	phases_describe(phases, told->terse, rest, sizeof rest);
	show_line(&told->view, "Phases", terminal_count((double)phases->count).text, "%s", rest);
	if (!split.worth_it)
		return;
	split_describe(&split, false, rest, sizeof rest);
	show_line(&told->view, "  split", "saves", "%s", rest);
}

/* Writes the marks of the job. Marks at the beginning or end of a part are omitted, because the table of parts contains
 * them. */
static void write_marks(const struct told *told)
{
	enum { SHOWN = 8, LABEL_MOST = 40 /* bytes */ };
	const struct marks *marks = &told->view.model->marks;
	char text[640] = "";
	size_t named = 0, length = 0;

	for (size_t i = 0; i < marks->count; i++) {
		struct text label = text_of(marks->items[i].label), name, cut = utf8_cut(label, LABEL_MOST);
		if (parts_end_of(label, &name) != PART_END_NONE || named++ >= SHOWN)
			continue;
		length +=
			(size_t)snprintf(text + length, sizeof text - length, "%sat %s %.*s%s", length > 0 ? "; " : "",
				terminal_duration(marks->items[i].time - told->view.run->start_time).text,
				(int)cut.length, cut.data, cut.length < label.length ? "..." : "");
	}
	if (named == 0 || told->terse)
		return;
	named += marks->total - marks->count;
	if (named > SHOWN)
		snprintf(text + length, sizeof text - length, "; and %s more",
			terminal_count((double)(named - SHOWN)).text);
	show_line(&told->view, "Marks", terminal_count((double)named).text, "%s", text);
}

static void write_cpus(const struct told *told)
{
	const struct model *model = told->view.model;
	char text[CPU_USE_SIZE];

	cpu_prices_describe(&model->cpu_prices, text);
	if (*text && !told->terse)
		show_text(&told->view, "  in time", text);
	if (*model->cpu_waits)
		show_text(&told->view, "  slowed", model->cpu_waits);
}

/* Writes the code lines at which memory grew, unless the out-of-memory report lists them. */
static void write_code(const struct told *told)
{
	const struct code *code = &told->view.model->code;
	char text[CODE_DESCRIBED_SIZE];

	code_describe(&code->peak, "at the peak", text, sizeof text);
	if (*text && !code->death.known)
		show_text(&told->view, "  code", text);
}

static void write_outlived(const struct show_view *view)
{
	const struct postmortem *postmortem = &view->model->postmortem;
	char text[256];

	if (!postmortem->outlived)
		return;
	postmortem_describe_outlived(postmortem, text, sizeof text);
	show_text(view, "Killed", text);
}

/* Writes one line with the request, the resources that were requested before, and the directory of the run. Outside a
 * terminal, the length of the line is not limited, because scripts read the directory. */
static void write_request_line(const struct told *told)
{
	struct show_view view = told->view;
	char text[2 * SHOW_TEXT_SIZE], requested[SHOW_TEXT_SIZE];

	if (view.terminal.whole) {
		view.brief = true;
		view.terminal.whole = false;
		view.terminal.width = UINT_MAX;
	}
	if (!*show_describe_request(told->recommendation, ", ", text)) {
		show_text(&view, "Run", view.run->directory);
		return;
	}
	append_lack(told, text, sizeof text);
	if (*show_describe_requested(&view.model->asked, requested))
		units_append(text, sizeof text, "; requested before: %s", requested);
	terminal_replace(&view.terminal, text);
	char *line = xasprintf("%s; run: %s", text, view.run->directory);
	show_text(&view, "Request", line);
	free(line);
}

/* Writes a line each for how the run ended, its usage, missing records if there are any, and its request. */
static void show_short(const struct told *told)
{
	const struct show_view *view = &told->view;
	const struct totals *totals = &view->model->totals;
	char text[640] = "";

	fputs("rtrack: ", view->terminal.out);
	show_end(view, show_width_left(view, sizeof "rtrack: " - 1));
	if (view->model->postmortem.outlived) {
		units_append(text, sizeof text, "killed ");
		postmortem_describe_outlived(&view->model->postmortem, text + strlen(text), sizeof text - strlen(text));
		units_append(text, sizeof text, "; ");
	}
	units_append(text, sizeof text, "CPU %s, mean %s, peak %s of %s CPUs",
		terminal_duration(totals->cpu_seconds).text, terminal_figure(UNIT_cpus, totals->mean_cpu_usage).text,
		terminal_figure(UNIT_cpus, view->model->peak_cpu).text,
		terminal_figure(UNIT_cpus, view->run->vcpus).text);
	units_append(text, sizeof text, "; peak memory %s", terminal_figure(UNIT_mib, totals->peak_memory_mib).text);
	if (number_known(totals->disk_read_bytes) || number_known(totals->disk_write_bytes))
		units_append(text, sizeof text, "; %s read, %s written",
			terminal_figure(UNIT_bytes, totals->disk_read_bytes).text,
			terminal_figure(UNIT_bytes, totals->disk_write_bytes).text);
	units_append(text, sizeof text, "; %s%s process%s", terminal_count(totals->processes).text,
		totals->exact_processes ? "" : " or more",
		totals->exact_processes && totals->processes == 1 ? "" : "es");
	fputs("  ", view->terminal.out);
	terminal_text_line(&view->terminal, text, 2);
	if (exactness_missing_records(view->run))
		show_text(view, "Missing", exactness_missing_records(view->run));
	write_request_line(told);
}

static void write_group(const struct told *told)
{
	const struct group *group = told->view.model->group;
	char text[1000];

	if (!group)
		return;
	group_describe(group, text, sizeof text);
	show_text(&told->view, "Group", text);
}

/* Writes the shares of the request that a batch job used, like seff(1). */
static void write_efficiency(const struct told *told)
{
	static const struct {
		const char *label;
		enum total_id share;
		enum unit unit;
		const char *of;
	} rows[EFFICIENCY_COUNT] = {{"CPU used", TOTAL_efficiency_cpu, UNIT_seconds, "CPU time"},
		{"Memory used", TOTAL_efficiency_memory, UNIT_mib, "memory"},
		{"GPU used", TOTAL_efficiency_gpu, UNIT_seconds, "GPU time"},
		{"Time used", TOTAL_efficiency_time, UNIT_seconds, "time limit"}};
	const struct model *model = told->view.model;
	bool any = false;

	if (!model->group || model->group->script)
		return;
	for (int kind = 0; kind < EFFICIENCY_COUNT; kind++) {
		double share = total_value(&model->totals, rows[kind].share);
		if (!number_known(share))
			continue;
		show_line(&told->view, rows[kind].label, terminal_figure(UNIT_share, share).text,
			"%s of %s %s requested", terminal_figure(rows[kind].unit, model->efficiency.used[kind]).text,
			terminal_figure(rows[kind].unit, model->efficiency.asked[kind]).text, rows[kind].of);
		any = true;
	}
	if (any)
		fputc('\n', told->view.terminal.out);
}

static void write_figures(const struct told *told)
{
	const struct show_view *view = &told->view;
	const struct model *model = view->model;

	show_heading(view);
	write_efficiency(told);
	write_group(told);
	show_postmortem(&view->terminal, &model->postmortem, &model->code.death, view->run->start_time,
		told->recommendation->resources.memory_mib);
	show_output(view);
	write_next(told);
	show_cpu(view);
	write_cpus(told);
	show_memory(view);
	write_code(told);
	write_outlived(view);
	show_gpus(view);
	show_traffic(view);
	show_energy(view);
	show_others(view);
	show_processes(view);
	show_tracker(view);
	write_phases(told);
	write_marks(told);
	show_place(view);
	show_inner_jobs(&view->terminal, view->inner_jobs);
	show_parts(&view->terminal, &model->parts);
	if (model->group) {
		fputc('\n', view->terminal.out);
		group_write_text(&view->terminal, model->group);
	}
}

/* Writes the figures into `text`, which the caller frees. Returns the number of lines. */
static unsigned write_to_text(struct told *told, char **text)
{
	struct show_view *view = &told->view;
	FILE *screen = view->terminal.out;
	size_t size;
	unsigned lines = 0;

	view->terminal.out = xopen_memstream(text, &size);
	write_figures(told);
	xclose_memstream(view->terminal.out);
	view->terminal.out = screen;
	for (size_t i = 0; i < size; i++)
		lines += (*text)[i] == '\n';
	return lines;
}

/* Writes the screen. The list of programs fills the lines that the other parts leave free. */
static void show_long(struct told *told)
{
	struct terminal *terminal = &told->view.terminal;
	char *text;
	unsigned lines = write_to_text(told, &text);
	bool *const savings[] = {&told->terse, &told->view.without_sparklines};

	for (size_t i = 0; i < ARRAY_LENGTH(savings); i++) {
		if (terminal->height == 0 || lines + SHOW_PROGRAMS_LEAST <= terminal->height)
			break;
		*savings[i] = true;
		free(text);
		lines = write_to_text(told, &text);
	}
	fputs(text, terminal->out);
	show_programs(terminal, &told->view.model->programs, lines);
	free(text);
}

/* -- the command ----------------------------------------------------------------------------------- */

static cJSON *ended_json(const struct model *model, const struct inner_failure *first)
{
	static struct output output;
	cJSON *object = outcome_json(model->outcome, model->run, &model->limit);

	cJSON_AddItemToObject(object, "failed", failure_json(model->failed, &model->processes, &model->parts));
	cJSON_AddItemToObject(object, "first_failure", inner_failure_json(first));
	if (!model->group)
		output_find(&output, model->run);
	cJSON_AddItemToObject(object, "output", output_json(&output));
	if (model->postmortem.outlived)
		cJSON_AddItemToObject(object, "outlived", postmortem_outlived_json(&model->postmortem));
	return object;
}

static void print_show_json(const struct model *model, const struct recommendation *next, const struct inner_jobs *jobs)
{
	cJSON *json = history_json(model, HISTORY_RUNS);

	cJSON_AddItemToObject(json, "programs", bill_json(&model->programs));
	cJSON_AddItemToObject(json, "inner_jobs", inner_jobs_json(jobs));
	cJSON_AddItemToObject(json, "ended", ended_json(model, &jobs->failure));
	cJSON *death = postmortem_json(&model->postmortem, model->usable ? next->resources.memory_mib : UNKNOWN);
	if (cJSON_IsObject(death))
		cJSON_AddItemToObject(death, "lines", code_moment_json(&model->code.death));
	cJSON_AddItemToObject(json, "out_of_memory", death);
	if (model->usable) {
		struct split split = recommend_split(next, &model->phases);
		cJSON_AddItemToObject(json, "recommendation", recommend_json(next));
		phases_write_json(&model->phases, json);
		split_write_json(&split, json);
		parts_write_json(&model->parts, json);
		marks_write_json(&model->marks, json);
		cpu_prices_write_json(&model->cpu_prices, json);
	}
	if (model->group)
		group_write_json(model->group, cJSON_AddObjectToObject(json, "group"));
	json_print(json);
}

/* Returns the words that select the run in a command line, or NULL if it is the latest run. */
static const char *selector_of(const struct options *options)
{
	static char text[200];

	if (options->group_count == 0 || unit_is_name(options->groups[0]))
		return options->group_count == 0 ? options->run : options->groups[0];
	snprintf(text, sizeof text, "--group %s", options->groups[0]);
	return text;
}

static void print_show(const struct options *options, struct told *told)
{
	const struct model *model = told->view.model;

	if (options->json) {
		print_show_json(model, told->recommendation, told->view.inner_jobs);
	} else if (options_given(options, OPTION_tree)) {
		show_tree(&told->view.terminal, &model->processes, &model->programs,
			known_first(options->number[OPTION_limit], INFINITY));
	} else if (options_given(options, OPTION_short)) {
		told->view.figure_width = 0;
		show_short(told);
		write_group(told);
	} else if (options_given(options, OPTION_verbose)) {
		show_long(told);
	} else {
		show_summary(&told->view, told->recommendation, selector_of(options));
	}
}

static int show(const struct options *options, const struct model *model)
{
	struct recommendation next = {.resources = {.cpu = UNKNOWN,
					      .memory_mib = UNKNOWN,
					      .gpu = UNKNOWN,
					      .vram_mib = UNKNOWN,
					      .seconds = UNKNOWN,
					      .disk_mib = UNKNOWN}};
	struct inner_jobs jobs = {.count = 0};
	struct told told = {{.terminal = terminal_of(stdout),
				    .run = model->run,
				    .model = model,
				    .inner_jobs = &jobs,
				    .figure_width = SHOW_FIGURE_WIDTH},
		&next, false};
	bool tree = options_given(options, OPTION_tree) && !options->json;
	bool brief = tree || (options_given(options, OPTION_short) && !options->json);

	if (model->usable && !tree && advice_make(&next, options, model) != 0)
		return EXIT_NO_DATA;
	if (!brief)
		inner_jobs_read(&jobs, model);
	int status = advice_price_jobs(&jobs, options) == 0 ? EXIT_DONE : EXIT_NO_DATA;
	if (status == EXIT_DONE)
		print_show(options, &told);
	inner_jobs_free(&jobs);
	return status == EXIT_DONE ? exit_of(model_check(model)) : status;
}

/* -- tables of --by program, process, line or function --------------------------------------------- */

enum { ROWS_SHOWN = 20 };

static bool is_by_code(const struct options *options)
{
	return options_is(options, OPTION_by, "line") || options_is(options, OPTION_by, "function");
}

static int print_by_json(const struct options *options, const struct model *model, const struct bill *bill)
{
	cJSON *json = cJSON_CreateObject();

	cJSON_AddStringToObject(json, "id", model->run->id);
	cJSON_AddStringToObject(json, "by", options->text[OPTION_by]);
	if (options_is(options, OPTION_by, "function"))
		code_write_functions_json(&model->code, options_given(options, OPTION_deep), json);
	else if (options_is(options, OPTION_by, "line"))
		code_write_json(&model->code, json);
	else
		cJSON_AddItemToObject(json, "bill", bill_json(bill));
	totals_write_json(&model->totals, cJSON_AddObjectToObject(json, "totals"));
	return json_print(json);
}

static int show_by(const struct options *options, const struct model *model)
{
	struct terminal terminal = terminal_of(stdout);
	double limit = known_first(options->number[OPTION_limit], ROWS_SHOWN);
	bool by_process = options_is(options, OPTION_by, "process");
	const struct bill *bill = by_process ? &model->by_process : &model->programs;

	if (!model->usable)
		return exit_of(model_check(model));
	if (options->json)
		return print_by_json(options, model, bill);
	if (!is_by_code(options))
		show_bill(&terminal, bill, by_process, limit);
	else if (model->code.lines.count > 0 && options_is(options, OPTION_by, "function"))
		show_functions(&terminal, &model->code, options_given(options, OPTION_deep), limit);
	else if (model->code.lines.count > 0)
		show_lines(&terminal, &model->code, limit);
	else
		puts("No lines: no Python of a known version ran for longer than a tick, or RTRACK_LINES was off.");
	return EXIT_DONE;
}

struct model_wish show_wish(const struct options *options)
{
	struct model_wish wish = recommend_wish();

	if (options_given(options, OPTION_by))
		return (struct model_wish){.sections = is_by_code(options)                         ? MODEL_LINES
						       : options_is(options, OPTION_by, "process") ? MODEL_PROCESSES
												   : MODEL_PROGRAMS};
	wish.sections |= MODEL_PROGRAMS | MODEL_LINES;
	wish.system_columns |= SERIES_COLUMN(SYSTEM_net_recv_bytes) | SERIES_COLUMN(SYSTEM_net_sent_bytes);
	return wish;
}

int show_model(const struct options *options, const struct model *model)
{
	if (options_given(options, OPTION_by))
		return show_by(options, model);
	if (!energy_carbon_is_right())
		return EXIT_USAGE;
	if (!model->usable && model->run->problem)
		return exit_of(model_check(model));
	return show(options, model);
}
