/* rtrack-report show: a run on one screen.
 *
 * First how it ended, then what it used, each figure on a line with the figure that it is to be judged by, then which
 * programs used it. What is not exact is said beside the figure. */
#define _GNU_SOURCE
#include "report/commands/commands.h"

#include "report/advice/split.h"
#include "report/commands/show_bill.h"
#include "report/model/cpu_use.h"
#include "report/model/energy.h"
#include "report/model/outcome.h"
#include "report/model/group_told.h"
#include "report/model/parts.h"
#include "report/text/show_head.h"
#include "report/text/show_parts.h"
#include "report/text/show_programs.h"
#include "report/text/show_tree.h"
#include "report/text/show_used.h"
#include "report/model/phases.h"
#include "report/model/bill.h"
#include "report/model/model.h"
#include "report/history/history.h"
#include "report/model/shortage.h"
#include "report/say/message.h"
#include "report/say/terminal.h"
#include "report/say/utf8.h"
#include "report/commands/advice.h"

#include <stdlib.h>
#include <string.h>

struct told {
	struct show_view view;
	const struct recommendation *recommendation;
	const struct phases *phases;
	const struct parts *parts;
	const struct marks *marks;
	const struct group *group; /* NULL: it is of a run */
	struct cpu_prices prices;
	bool terse; /* the screen is too low for what a page can tell better */
};

/* The price of the recommended server, or else the cost of the run where it ran; "" when both are unknown. */
static void describe_price(const struct recommendation *recommendation, char *text, size_t size)
{
	const struct server *server = &recommendation->server;
	const struct cost *cost = &recommendation->cost;

	*text = '\0';
	if (recommendation->has_server)
		snprintf(text, size, ", %s (%s) at %s an hour", *server->name ? server->name : server->id,
			server->vendor, units_money(server->price, server->currency).text);
	if (recommendation->has_cost && cost->saving > 0)
		snprintf(text + strlen(text), size - strlen(text), ": saves %.0f %%", cost->saving_percent);
}

static void write_next(const struct told *told)
{
	const struct resources *resources = &told->recommendation->resources;
	char price[400];
	char gpus[64] = "";
	char cpus[64];

	if (!number_known(resources->cpu))
		return;
	describe_price(told->recommendation, price, sizeof price);
	snprintf(cpus, sizeof cpus, "%s CPU%s", terminal_count(resources->cpu).text, resources->cpu > 1 ? "s" : "");
	if (resources->gpu > 0)
		snprintf(gpus, sizeof gpus, ", %s GPU%s", terminal_count(resources->gpu).text,
			resources->gpu > 1 ? "s" : "");
	show_line(&told->view, "Next time", cpus, "%s%s%s", terminal_figure(UNIT_mib, resources->memory_mib).text, gpus,
		price);
}

static void write_phases(const struct told *told)
{
	struct split split = recommend_split(told->recommendation, told->phases);
	char rest[1024];

	if (told->phases->count == 0)
		return;
	phases_describe(told->phases, told->terse, rest, sizeof rest);
	show_line(&told->view, "Phases", terminal_count((double)told->phases->count).text, "%s", rest);
	if (!split.worth_it)
		return;
	split_describe(&split, false, rest, sizeof rest);
	show_line(&told->view, "  split", "saves", "%s", rest);
}

/* What the job marked, but for the beginnings and the ends of its parts, which have a table. */
static void write_marks(const struct told *told)
{
	enum { SHOWN = 8, LABEL_MOST = 40 /* bytes: no more than there is room for one of many */ };
	const struct marks *marks = told->marks;
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

	cpu_prices_describe(&told->prices, text);
	if (*text && !told->terse)
		show_text(&told->view, "  in time", text);
	cpu_waits_describe(&model->process, &model->system, told->view.run, text);
	if (*text)
		show_text(&told->view, "  slowed", text);
}

static void write_outlived(const struct show_view *view)
{
	char text[256];

	if (!view->postmortem->outlived)
		return;
	postmortem_describe_outlived(view->postmortem, text, sizeof text);
	show_text(view, "Killed", text);
}

static void show_short(const struct show_view *view)
{
	fputs("rtrack: ", view->terminal.out);
	show_end(view, show_width_left(view, sizeof "rtrack: " - 1));
	show_cpu(view);
	show_memory(view);
	write_outlived(view);
	show_traffic(view);
	show_processes(view);
	show_place(view);
}

static void write_group(const struct told *told)
{
	char text[1000];

	if (!told->group)
		return;
	group_describe(told->group, text, sizeof text);
	show_text(&told->view, "Group", text);
}

static void write_figures(const struct told *told)
{
	const struct show_view *view = &told->view;

	show_heading(view);
	write_group(told);
	show_postmortem(
		&view->terminal, view->postmortem, view->run->start_time, told->recommendation->resources.memory_mib);
	show_cpu(view);
	write_cpus(told);
	show_memory(view);
	write_outlived(view);
	show_gpus(view);
	show_traffic(view);
	show_energy(view);
	show_processes(view);
	show_tracker(view);
	write_next(told);
	write_phases(told);
	write_marks(told);
	show_place(view);
	show_parts(&view->terminal, told->parts);
	if (told->group) {
		fputc('\n', view->terminal.out);
		group_write_text(&view->terminal, told->group);
	}
}

/* Writes the figures into `text`, which the caller frees, and returns how many lines they take; 0: no memory. */
static unsigned write_to_text(struct told *told, char **text)
{
	struct show_view *view = &told->view;
	FILE *screen = view->terminal.out;
	size_t size = 0;
	unsigned lines = 0;

	*text = NULL;
	view->terminal.out = open_memstream(text, &size);
	if (view->terminal.out)
		write_figures(told);
	bool failed = !view->terminal.out || fclose(view->terminal.out) != 0;
	view->terminal.out = screen;
	for (size_t i = 0; !failed && i < size; i++)
		lines += (*text)[i] == '\n';
	return lines;
}

/* Writes the screen; the programs get the lines that the other parts leave. */
static int show_long(struct told *told, const struct bill *bill)
{
	struct terminal *terminal = &told->view.terminal;
	char *text;
	unsigned lines = write_to_text(told, &text);
	bool *const savings[] = {&told->terse, &told->view.without_sparklines};

	for (size_t i = 0; i < ARRAY_LENGTH(savings); i++) {
		if (lines == 0 || terminal->height == 0 || lines + SHOW_PROGRAMS_LEAST <= terminal->height)
			break;
		*savings[i] = true;
		free(text);
		lines = write_to_text(told, &text);
	}
	if (lines > 0) {
		fputs(text, terminal->out);
		show_programs(terminal, bill, lines);
	}
	free(text);
	return lines > 0 ? 0 : -1;
}

/* -- the command ----------------------------------------------------------------------------------- */

/* The recommendation of the run, or of the group. Returns 0, or -1 after a message. */
static int advise(struct recommendation *next, const struct options *options, const struct run *run,
	const struct model *model, const struct group *group)
{
	return group ? advice_make_group(next, options, group, run, model) : advice_make(next, options, run, model);
}

static cJSON *ended_json(const struct postmortem *postmortem, const struct run *run, const struct memory_limit *limit)
{
	cJSON *object = outcome_json(outcome_of(run, postmortem->found), run, limit);

	if (postmortem->outlived)
		cJSON_AddItemToObject(object, "outlived", postmortem_outlived_json(postmortem));
	return object;
}

/* What the post-mortem asks; each part of a group has its own. */
static struct postmortem_question lack_of(const struct run *run, const struct model *model, const struct group *group)
{
	return group ? (struct postmortem_question){.died = false} : shortage_question(run, model);
}

static int show(const struct options *options, const struct run *run, struct model *model, const struct group *group)
{
	struct recommendation next = {.resources = {UNKNOWN, UNKNOWN, UNKNOWN, UNKNOWN, UNKNOWN, UNKNOWN}};
	struct phases phases = {0};
	struct parts parts;
	struct marks marks;
	struct postmortem postmortem;
	struct told told = {{terminal_of(stdout), run, model, &postmortem, SHOW_FIGURE_WIDTH, false}, &next, &phases,
		&parts, &marks, group, {0}, false};
	struct bill bill;
	bool brief = (options_given(options, OPTION_short) || options_given(options, OPTION_tree)) && !options->json;
	bool failed = processes_lack_figures(&model->processes) &&
		      processes_add_members(&model->processes, run->directory) != 0;

	if (!energy_carbon_is_right())
		return EXIT_USAGE;
	if (model->usable && !brief && advise(&next, options, run, model, group) != 0)
		return EXIT_NO_DATA;
	struct postmortem_question question = lack_of(run, model, group);
	failed = failed || postmortem_make(&postmortem, run, &model->system, &model->processes, &question) != 0;
	failed = failed || marks_load(&marks, run->directory) != 0;
	message_quiet(true); /* what is wrong with mark.csv has been said */
	failed = failed || parts_make(&parts, run, &model->process, &model->processes) != 0;
	message_quiet(false);
	if (failed || phases_find(&phases, &model->process, &marks, run->start_time, run->interval) != 0 ||
		bill_by_command(&bill, &model->processes, &model->totals) != 0) {
		message_print("no memory");
		return EXIT_NO_DATA;
	}
	cpu_prices_make(&told.prices, &model->process, &model->system, run, model->totals.wall_seconds);
	if (options->json) {
		cJSON *json = history_json(model, run, HISTORY_RUNS);
		if (json)
			cJSON_AddItemToObject(json, "programs", bill_json(&bill));
		struct memory_limit limit =
			postmortem_memory_limit(&postmortem, run, &model->system, model->totals.peak_memory_mib);
		if (json)
			cJSON_AddItemToObject(json, "ended", ended_json(&postmortem, run, &limit));
		if (json)
			cJSON_AddItemToObject(json, "out_of_memory",
				postmortem_json(&postmortem, model->usable ? next.resources.memory_mib : UNKNOWN));
		if (json && model->usable)
			cJSON_AddItemToObject(json, "recommendation", recommend_json(&next));
		if (json) {
			struct split split = recommend_split(&next, &phases);
			phases_write_json(&phases, json);
			split_write_json(&split, json);
			parts_write_json(&parts, json);
			marks_write_json(&marks, json);
			cpu_prices_write_json(&told.prices, json);
		}
		if (json && group)
			group_write_json(group, cJSON_AddObjectToObject(json, "group"));
		(void)json_print(json);
	} else if (options_given(options, OPTION_tree)) {
		if (show_tree(&told.view.terminal, &model->processes, &bill.programs) != 0)
			message_print("no memory");
	} else if (brief) {
		told.view.figure_width = 0;
		show_short(&told.view);
		write_group(&told);
	} else if (show_long(&told, &bill) != 0) {
		message_print("no memory");
	}
	marks_free(&marks);
	parts_free(&parts);
	bill_free(&bill);
	return exit_of(model_check(model, run));
}

static int show_by(const struct options *options, const struct run *run, struct model *model, const struct group *group)
{
	struct postmortem_question lack = lack_of(run, model, group);
	return show_bill(options, run, model, &lack);
}

int show_command(const struct options *options, const struct run *run)
{
	struct model model;
	uint64_t process_columns =
		phases_columns() | parts_columns() | recommend_columns(TABLE_process) | cpu_use_columns(TABLE_process);
	uint64_t system_columns = SERIES_COLUMN(SYSTEM_net_recv_bytes) | SERIES_COLUMN(SYSTEM_net_sent_bytes) |
				  shortage_columns(TABLE_system) | recommend_columns(TABLE_system) |
				  cpu_use_columns(TABLE_system);
	int status;

	if (model_read(&model, run, process_columns, system_columns) != 0)
		return EXIT_NO_DATA;
	if (options_given(options, OPTION_by))
		status = show_by(options, run, &model, NULL);
	else if (!model.usable && run->problem)
		status = exit_of(model_check(&model, run));
	else
		status = show(options, run, &model, NULL);
	model_free(&model);
	return status;
}

int show_group(const struct options *options, struct group *group, struct whole *whole)
{
	if (options_given(options, OPTION_by))
		return show_by(options, &whole->run, &whole->model, group);
	return show(options, &whole->run, &whole->model, group);
}
