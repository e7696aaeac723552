/* SPDX-License-Identifier: Apache-2.0 */
/* The screen of `show`: what to request, and whether the run succeeded, in at most twelve lines.
 *
 * Each section first writes its lines to memory. If there are more than twelve lines, the least important sections are
 * left out. A long line is cut, because `show -v` has the whole text. */
#define _GNU_SOURCE
#include "report/commands/show_summary.h"

#include "core/number.h"
#include "report/advice/allowance.h"
#include "report/advice/dialects.h"
#include "report/model/exact.h"
#include "report/model/group.h"
#include "report/model/output.h"
#include "report/say/alloc.h"

#include <ctype.h>
#include <stdarg.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LINES_MOST = 12, PIPE_WIDTH = 120, ERROR_LINES = 3, PROGRAMS_SHOWN = 3 };

/* The reason for the requested memory is shown if the request is at least this many times the peak. */
static const double WORTH_SAYING = 1.1;
/* Short-lived processes are listed if they used this share of the CPU time and this CPU time in seconds. */
static const double WORTH_A_NAME = 0.05, WORTH_SECONDS = 0.01;

struct summary {
	struct show_view view;
	const struct recommendation *next;
	const char *selector; /* the RUN of the command line, or NULL */
};

/* -- the end of the run ---------------------------------------------------------------------------- */

static void write_head(const struct summary *summary)
{
	const struct show_view *view = &summary->view;
	const struct terminal *terminal = &view->terminal;
	char *command = run_command_line(view->run), end[400];
	unsigned used, width = terminal->width;

	show_describe_end(view, end, sizeof end);
	used = terminal_columns(terminal, end) + 2;
	used = terminal_text_in(
		terminal, COLOUR_strong, view->run->job, width > used + width / 4 ? width - used : width / 4, 0);
	used += (unsigned)fprintf(terminal->out, *view->run->ends ? ": " : " ");
	used += terminal_text_in(
		terminal, show_outcome_colour(view->model->outcome), end, width > used ? width - used : 0, 0);
	if (*command && strcmp(command, view->run->job) != 0 && used + 2 < width) {
		fputs("  ", terminal->out);
		terminal_text_in(terminal, COLOUR_dim, command, width - used - 2, 0);
	}
	fputc('\n', terminal->out);
	free(command);
}

/* Returns whether a line has words, and not only marks such as "~~~^^^". */
static bool has_words(const char *line)
{
	while (*line && !isalnum((unsigned char)*line))
		line++;
	return *line;
}

/* Writes the last lines of the output of a failed run. */
static void write_output(const struct show_view *view, struct output *output)
{
	const char *lines[ERROR_LINES];
	size_t count = 0;

	for (char *line = output->stream ? strtok(output->text, "\n") : NULL; line; line = strtok(NULL, "\n"))
		if (has_words(line))
			lines[count++ % ERROR_LINES] = line;
	size_t first = count < ERROR_LINES ? 0 : count - ERROR_LINES;
	for (size_t i = first; i < count; i++) {
		terminal_put(&view->terminal, COLOUR_dim, "%-*s", SHOW_LABEL_WIDTH, i == first ? "Error" : "");
		terminal_colour(&view->terminal, i + 1 == count ? COLOUR_bad : COLOUR_plain);
		terminal_text_line(&view->terminal, lines[i % ERROR_LINES], SHOW_LABEL_WIDTH);
		terminal_colour(&view->terminal, COLOUR_plain);
	}
}

/* Writes how the run failed. For a pipeline, writes how its task failed, without the pipeline's own output, which often
 * ends with the progress of other tasks. */
static void write_error(const struct summary *summary)
{
	static struct output output;
	const struct show_view *view = &summary->view;
	const struct model *model = view->model;
	const struct inner_failure *first = &view->inner_jobs->failure;
	char failure[FAILURE_SIZE];

	if (first->id)
		show_text(view, "Failed", first->text);
	if (model->postmortem.found) {
		show_postmortem_brief(view, &model->postmortem, &model->code.death);
		return;
	}
	if (!first->id && *failure_describe(model->failed, &model->processes, &model->parts, failure))
		show_text(view, "Failed", failure);
	output = first->output;
	if (!first->id && !model->group)
		output_find(&output, view->run);
	write_output(view, &output);
}

/* -- the request ----------------------------------------------------------------------------------- */

/* Appends a phrase to a list, after the separator if the list is not empty. */
__attribute__((format(printf, 3, 4))) static void append(
	char text[SHOW_TEXT_SIZE], const char *separator, const char *format, ...)
{
	va_list arguments;

	if (*text)
		units_append(text, SHOW_TEXT_SIZE, "%s", separator);
	size_t length = strlen(text);
	va_start(arguments, format);
	vsnprintf(text + length, SHOW_TEXT_SIZE - length, format, arguments);
	va_end(arguments);
}

/* Formats "2 CPUs", or "1 CPU". */
static struct figure count_of(double number, const char *what)
{
	struct figure figure;

	snprintf(figure.text, sizeof figure.text, "%.20s %s%s", terminal_count(number).text, what,
		number == 1 ? "" : "s");
	return figure;
}

const char *show_describe_requested(const struct asked *asked, char text[SHOW_TEXT_SIZE])
{
	*text = '\0';
	if (asked->cpus > 0)
		append(text, ", ", "%s", count_of(asked->cpus, "CPU").text);
	if (asked->memory_mib > 0)
		append(text, ", ", "%s", terminal_figure(UNIT_mib, asked->memory_mib).text);
	if (asked->gpus > 0)
		append(text, ", ", "%s", count_of(asked->gpus, "GPU").text);
	if (asked->seconds > 0)
		append(text, ", ", "%s", terminal_duration(asked->seconds).text);
	return text;
}

/* Formats a warning if the machine lacks the requested resources, and the reason for the requested memory. */
static void describe_reason(const struct summary *summary, char text[SHOW_TEXT_SIZE])
{
	const struct recommendation *next = summary->next;
	const struct rule_answer *memory = &next->memory;
	char reason[120];

	*text = '\0';
	if (next->resources.memory_mib > recommend_machine_mib(summary->view.model))
		append(text, "; ", "the machine has only %s",
			terminal_figure(UNIT_mib, recommend_machine_mib(summary->view.model)).text);
	if (next->classic || !(memory->request >= memory->largest * WORTH_SAYING))
		return;
	allowance_reason(memory, false, reason, sizeof reason);
	if (*reason)
		append(text, "; ", "memory is %s", reason);
	terminal_replace(&summary->view.terminal, text);
}

void show_describe_price(const struct recommendation *next, char *text, size_t size)
{
	const struct server *server = &next->server;
	const struct cost *cost = &next->cost;

	*text = '\0';
	if (next->has_server)
		snprintf(text, size, ", %s (%s) at %s an hour", *server->name ? server->name : server->id,
			server->vendor, units_money(server->price, server->currency).text);
	if (next->has_cost && cost->saving > 0)
		snprintf(text + strlen(text), size - strlen(text), ": saves %.0f %%", cost->saving_percent);
}

const char *show_describe_request(const struct recommendation *next, const char *separator, char text[SHOW_TEXT_SIZE])
{
	const struct resources *resources = &next->resources;
	char ranks[RESOURCES_RANKS_SIZE];

	*text = '\0';
	if (!number_known(resources->cpu))
		return text;
	append(text, "", "%s",
		*resources_describe_ranks(resources, ranks) ? ranks : count_of(resources->cpu, "CPU").text);
	append(text, separator, "%s%s", terminal_figure(UNIT_mib, resources->memory_mib).text,
		resources->spread ? " on each machine" : "");
	if (resources->gpu > 0)
		append(text, separator, "%s", count_of(resources->gpu, "GPU").text);
	if (resources->seconds > 0)
		append(text, separator, "%s", terminal_duration(resources->seconds).text);
	show_describe_price(next, text + strlen(text), SHOW_TEXT_SIZE - strlen(text));
	return text;
}

static void write_request(const struct summary *summary)
{
	const struct show_view *view = &summary->view;
	char text[SHOW_TEXT_SIZE], *hint;

	if (!*show_describe_request(summary->next, "   ", text))
		return;
	terminal_replace(&view->terminal, text);
	terminal_put(&view->terminal, COLOUR_dim, "%-*s", SHOW_LABEL_WIDTH, "Request");
	unsigned used = SHOW_LABEL_WIDTH + terminal_text_in(&view->terminal, COLOUR_strong, text,
						   view->terminal.width - SHOW_LABEL_WIDTH, 0);
	hint = xasprintf("    rtrack-report recommend %s%s--for slurm", summary->selector ? summary->selector : "",
		summary->selector ? " " : "");
	if (used + strlen(hint) <= view->terminal.width)
		terminal_text_in(&view->terminal, COLOUR_dim, hint, view->terminal.width - used, 0);
	free(hint);
	fputc('\n', view->terminal.out);
	if (*show_describe_requested(&view->model->asked, text)) {
		char *before = xasprintf("requested before: %s", text);
		show_text(view, "", before);
		free(before);
	}
	describe_reason(summary, text);
	if (*text)
		show_text(view, "", text);
}

/* -- usage ----------------------------------------------------------------------------------------- */

static void write_cpu(const struct summary *summary)
{
	const struct show_view *view = &summary->view;
	const struct totals *totals = &view->model->totals;
	char text[SHOW_TEXT_SIZE] = "";

	if (number_known(totals->mean_cpu_usage))
		append(text, "", "%s CPUs on average", terminal_figure(UNIT_cpus, totals->mean_cpu_usage).text);
	if (number_known(view->model->peak_cpu))
		append(text, ", ", "%s at most", terminal_figure(UNIT_cpus, view->model->peak_cpu).text);
	if (number_known(view->run->vcpus))
		append(text, ", ", *text ? "of %s" : "of %s CPUs", terminal_figure(UNIT_cpus, view->run->vcpus).text);
	if (*view->model->cpu_waits && number_known(totals_cpus_wanted(totals)))
		append(text, "; ", "the machine was busy: it wanted %s",
			terminal_figure(UNIT_cpus, totals_cpus_wanted(totals)).text);
	show_line(view, "CPU", terminal_duration(totals->cpu_seconds).text, "%s", text);
}

static void write_memory(const struct summary *summary)
{
	const struct show_view *view = &summary->view;
	const struct model *model = view->model;
	const struct code_moment *peak = &model->code.peak;
	struct figure figure = totals_peak_range(&model->totals, view->run, summary->next->resources.memory_mib);
	char text[SHOW_TEXT_SIZE], name[CODE_NAME_SIZE];

	memory_limit_describe(&model->limit, model->totals.peak_memory_mib, text, sizeof text);
	if (number_known(totals_file_pages(&model->totals)))
		append(text, ", ", "%s of it is file cache (not needed)",
			terminal_figure(UNIT_mib, totals_file_pages(&model->totals)).text);
	if (number_known(totals_tmpfs_files(&model->totals)))
		append(text, ", ", "besides %s of files in /dev/shm",
			terminal_figure(UNIT_mib, totals_tmpfs_files(&model->totals)).text);
	if (peak->known && peak->count > 0 && !model->code.death.known)
		append(text, ", ", "grew mostly at %s", code_name(&peak->grew[0], name));
	terminal_replace(&view->terminal, figure.text);
	show_line(view, "Memory", figure.text, "%s", text);
}

static void write_gpus(const struct summary *summary)
{
	show_gpus(&summary->view);
}

static void write_disk(const struct summary *summary)
{
	show_traffic(&summary->view);
}

/* Writes the programs with the most CPU time, and the number of processes. */
static void write_programs(const struct summary *summary)
{
	const struct model *model = summary->view.model;
	const struct bill *bill = &model->programs;
	const struct bill_row *rest = bill_difference(bill);
	size_t shown = bill->programs < PROGRAMS_SHOWN ? bill->programs : PROGRAMS_SHOWN;
	char text[SHOW_TEXT_SIZE] = "";

	for (size_t i = 0; i < shown; i++) {
		append(text, ", ", "%s %s", bill_label(&bill->rows[i]).text,
			terminal_duration(bill->rows[i].cpu_seconds).text);
	}
	if (shown < bill->programs)
		append(text, ", ", "%s more", terminal_count((double)(bill->programs - shown)).text);
	if (rest && rest->cpu_seconds >= fmax(WORTH_A_NAME * bill->all.cpu_seconds, WORTH_SECONDS))
		append(text, ", ", "short-lived processes %s", terminal_duration(rest->cpu_seconds).text);
	if (model->totals.exact_processes && model->totals.processes == 1)
		append(text, " ", "(1 process)");
	else if (number_known(model->totals.processes))
		append(text, " ", "(%s%s processes)", terminal_count(model->totals.processes).text,
			model->totals.exact_processes ? "" : " or more");
	show_text(&summary->view, "Programs", text);
}

static void write_parts(const struct summary *summary)
{
	const struct parts *parts = &summary->view.model->parts;
	char text[SHOW_TEXT_SIZE] = "";

	for (size_t i = 0; i < parts->count && i < PROGRAMS_SHOWN; i++)
		append(text, ", ", "%s %s", parts->items[i].name, terminal_duration(parts->items[i].seconds).text);
	if (parts->count > PROGRAMS_SHOWN)
		append(text, ", ", "%s more", terminal_count((double)(parts->count - PROGRAMS_SHOWN)).text);
	if (*text)
		show_text(&summary->view, "Parts", text);
}

/* Writes the jobs of the runs inside a pipeline. */
static void write_inner_jobs(const struct summary *summary)
{
	char text[INNER_JOBS_SIZE];

	if (!*inner_jobs_describe(summary->view.inner_jobs, text))
		return;
	terminal_replace(&summary->view.terminal, text);
	show_text(&summary->view, "Tasks", text);
}

static void write_group(const struct summary *summary)
{
	const struct group *group = summary->view.model->group;
	char text[1000];

	if (!group || (group->counted == 1 && group->silent_steps == 0))
		return;
	group_describe(group, text, sizeof text);
	show_text(&summary->view, "Group", text);
}

/* Writes warnings: a process that was killed although the run continued, processes that still run, an id or user that
 * run.json claims wrongly, and missing records. */
static void write_warnings(const struct summary *summary)
{
	const struct show_view *view = &summary->view;
	const struct postmortem *postmortem = &view->model->postmortem;
	const char *missing = exactness_missing_records(view->run);
	char text[256];

	if (postmortem->outlived) {
		postmortem_describe_outlived(postmortem, text, sizeof text);
		show_text(view, "Killed", text);
	}
	show_living(view, 1);
	show_claims(view);
	if (missing)
		show_text(view, "Missing", missing);
}

static void write_more(const struct summary *summary)
{
	const char *run = summary->selector;
	char *text = xasprintf(
		"More: -v, --by command, --tree; page: rtrack-report html%s%s", run ? " " : "", run ? run : "");

	terminal_dim_line(&summary->view.terminal, text);
	free(text);
}

static void write_gap(const struct summary *summary)
{
	fputc('\n', summary->view.terminal.out);
}

/* -- the screen ------------------------------------------------------------------------------------ */

/* The sections in the order in which they are shown. If there are too many lines, the section with the largest `rank`
 * is left out first. */
static const struct section {
	void (*write)(const struct summary *summary);
	int rank;
} sections[] = {
	{write_head, 0},
	{write_error, 1},
	{write_gap, 11},
	{write_request, 1},
	{write_gap, 12},
	{write_cpu, 2},
	{write_memory, 2},
	{write_gpus, 3},
	{write_disk, 7},
	{write_group, 4},
	{write_inner_jobs, 4},
	{write_parts, 6},
	{write_programs, 5},
	{write_warnings, 4},
	{write_gap, 13},
	{write_more, 10},
};

struct block {
	char *text;
	unsigned lines;
};

static unsigned count_lines(const char *text)
{
	unsigned lines = 0;

	for (; *text; text++)
		lines += *text == '\n';
	return lines;
}

/* Empties blocks until at most `most` lines are left. */
static void leave_out(struct block *blocks, unsigned most)
{
	unsigned lines = 0;

	for (size_t i = 0; i < ARRAY_LENGTH(sections); i++)
		lines += blocks[i].lines;
	while (lines > most) {
		size_t worst = 0;
		for (size_t i = 1; i < ARRAY_LENGTH(sections); i++)
			if (blocks[i].lines > 0 && sections[i].rank >= sections[worst].rank)
				worst = i;
		if (worst == 0)
			return;
		lines -= blocks[worst].lines;
		blocks[worst].lines = 0;
	}
}

void show_summary(const struct show_view *view, const struct recommendation *next, const char *selector)
{
	struct summary summary = {*view, next, selector};
	struct terminal *terminal = &summary.view.terminal;
	struct block blocks[ARRAY_LENGTH(sections)];
	FILE *out = terminal->out;
	unsigned most = terminal->height > 1 && terminal->height <= LINES_MOST ? terminal->height - 1 : LINES_MOST;
	size_t size;

	summary.view.brief = true;
	if (terminal->whole)
		terminal->width = PIPE_WIDTH;
	terminal->whole = false;
	for (size_t i = 0; i < ARRAY_LENGTH(sections); i++) {
		terminal->out = xopen_memstream(&blocks[i].text, &size);
		sections[i].write(&summary);
		xclose_memstream(terminal->out);
		blocks[i].lines = count_lines(blocks[i].text);
	}
	leave_out(blocks, most);
	for (size_t i = 0; i < ARRAY_LENGTH(sections); i++) {
		if (blocks[i].lines > 0)
			fputs(blocks[i].text, out);
		free(blocks[i].text);
	}
}
