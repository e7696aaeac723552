/* rtrack-report show: a run on one screen.
 *
 * First how it ended, then what it used, each figure on a line with the figure that it is to be judged by, then which
 * programs used it. What is not exact is said beside the figure. */
#define _GNU_SOURCE
#include "report/commands/commands.h"

#include "report/advice/split.h"
#include "report/commands/advice.h"
#include "report/commands/show_bill.h"
#include "report/parts/parts.h"
#include "report/text/show_parts.h"
#include "report/text/show_programs.h"
#include "report/figures/exactness.h"
#include "report/figures/phases.h"
#include "report/figures/programs.h"
#include "report/figures/stats.h"
#include "report/figures/summary.h"
#include "report/history/history.h"
#include "report/history/shortage.h"
#include "report/say/message.h"
#include "report/say/terminal.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

enum { LABEL_WIDTH = 12, FIGURE_WIDTH = 13, JOB_LEAST = 12 };

struct view {
	struct terminal terminal;
	const struct run *run;
	const struct summary *summary;
	const struct recommendation *recommendation;
	const struct phases *phases;
	const struct parts *parts;
	const struct postmortem *postmortem;
	unsigned figure_width; /* 0: no padding, and a comma behind the figure */
};

/* -- lines ----------------------------------------------------------------------------------------- */

/* How many columns a line has left of which `used` are written. */
static unsigned width_left(const struct view *view, unsigned used)
{
	return view->terminal.width > used ? view->terminal.width - used : 0;
}

static void begin_line(const struct view *view, const char *label)
{
	if (view->figure_width == 0)
		fputs("  ", view->terminal.out);
	terminal_colour(&view->terminal, COLOUR_dim);
	fprintf(view->terminal.out, "%-*s", LABEL_WIDTH, label);
	terminal_colour(&view->terminal, COLOUR_plain);
}

static void write_line(const struct view *view, const char *label, const char *figure, const char *format, ...)
	__attribute__((format(printf, 4, 5)));

/* Writes a label, its figure, and the rest of the line, which may be empty; a rest that begins with a space follows
 * without a comma. */
static void write_line(const struct view *view, const char *label, const char *figure, const char *format, ...)
{
	char rest[256];
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(rest, sizeof rest, format, arguments);
	va_end(arguments);
	begin_line(view, label);
	terminal_colour(&view->terminal, COLOUR_strong);
	int used = fprintf(view->terminal.out, "%-*s", *rest ? (int)view->figure_width : 0, figure);
	terminal_colour(&view->terminal, COLOUR_plain);
	if (view->figure_width == 0 && *rest && *rest != ' ')
		used += fprintf(view->terminal.out, ", ");
	used += LABEL_WIDTH + (view->figure_width == 0 ? 2 : 0);
	terminal_text(&view->terminal, rest, width_left(view, (unsigned)used), 0);
	fputc('\n', view->terminal.out);
}

/* Appends ", part" or "part"; nothing when the figure is unknown. */
static void append(char *text, size_t size, const char *format, struct figure figure)
{
	size_t length = strlen(text);
	if (figure.text[0] == '-' || length + 2 >= size)
		return;
	if (length > 0)
		length += (size_t)snprintf(text + length, size - length, ", ");
	snprintf(text + length, size - length, format, figure.text);
}

/* -- how it ended ---------------------------------------------------------------------------------- */

static enum colour status_colour(const struct run *run)
{
	return strcmp(run->status, "finished") == 0  ? COLOUR_good
	       : strcmp(run->status, "running") == 0 ? COLOUR_line
	       : run_ended(run)                      ? COLOUR_bad
						     : COLOUR_warn;
}

/* "failed with exit status 3 after 2 min 3 s" */
static void describe_end(const struct view *view, char *text, size_t size)
{
	const struct run *run = view->run;
	double seconds = view->summary->totals.wall_seconds;
	const char *word = strcmp(run->status, "finished") == 0  ? "in"
			   : strcmp(run->status, "running") == 0 ? "for"
								 : "after";

	if (strcmp(run->limit, "memory") == 0)
		snprintf(
			text, size, "ended by --max-memory, %s", terminal_figure(UNIT_mib, run->limit_memory_mib).text);
	else if (strcmp(run->limit, "seconds") == 0)
		snprintf(text, size, "ended by --max-seconds, %s,", terminal_duration(run->limit_seconds).text);
	else if (run->exit_signal > 0 && run->exit_signal < 65)
		snprintf(text, size, "killed by signal %d (%s)", (int)run->exit_signal,
			strsignal((int)run->exit_signal));
	else if (strcmp(run->status, "failed") == 0 && number_known(run->exit_code))
		snprintf(text, size, "failed with exit status %.0f", run->exit_code);
	else
		snprintf(text, size, "%s", *run->status ? run->status : "end unknown");
	size_t length = strlen(text);
	if (number_known(seconds))
		snprintf(text + length, size - length, " %s %s", word, terminal_duration(seconds).text);
}

/* Writes the job and its end in `width` columns; if they are too long, the job is cut first. */
static void write_end(const struct view *view, unsigned width)
{
	char end[400];
	describe_end(view, end, sizeof end);
	unsigned needed = (unsigned)strlen(end) + 1;
	unsigned job = width > needed + JOB_LEAST ? width - needed : JOB_LEAST;

	terminal_colour(&view->terminal, COLOUR_strong);
	unsigned used = terminal_text(&view->terminal, view->run->job, job, 0) + 1;
	terminal_colour(&view->terminal, COLOUR_plain);
	fputc(' ', view->terminal.out);
	terminal_colour(&view->terminal, status_colour(view->run));
	terminal_text(&view->terminal, end, width > used ? width - used : 0, 0);
	terminal_colour(&view->terminal, COLOUR_plain);
	fputc('\n', view->terminal.out);
}

static void write_heading(const struct view *view)
{
	const struct terminal *terminal = &view->terminal;
	char *command = run_command_line(view->run);
	char place[400];
	bool started = number_known(view->run->start_time);

	write_end(view, terminal->width);
	if (command && *command && strcmp(command, view->run->job) != 0) {
		terminal_text(terminal, command, terminal->width, 0);
		fputc('\n', terminal->out);
	}
	free(command);
	snprintf(place, sizeof place, "%s%s%s%s%s", started ? "started " : "",
		started ? units_time(view->run->start_time, false).text : "", started && *view->run->host ? " " : "",
		*view->run->host ? "on " : "", view->run->host);
	terminal_colour(terminal, COLOUR_dim);
	terminal_text(terminal, place, terminal->width, 0);
	terminal_colour(terminal, COLOUR_plain);
	fputs(*place ? "\n\n" : "\n", terminal->out);
}

/* -- what it used ---------------------------------------------------------------------------------- */

static void write_sparkline(const struct view *view, int column, bool peaks)
{
	const struct terminal *terminal = &view->terminal;
	unsigned width = terminal->width - LABEL_WIDTH;

	if (!terminal->live || view->figure_width == 0 || view->summary->process.rows < 2)
		return;
	fprintf(terminal->out, "%*s", LABEL_WIDTH, "");
	terminal_sparkline(terminal, view->summary->process.columns[column], view->summary->process.rows, peaks,
		width < 60 ? width : 60);
	fputc('\n', terminal->out);
}

static void write_cpu(const struct view *view)
{
	const struct totals *totals = &view->summary->totals;
	char rest[200] = "";

	append(rest, sizeof rest, "mean %s", terminal_figure(UNIT_cpus, totals->mean_cpu_usage));
	append(rest, sizeof rest, "peak %s",
		terminal_figure(UNIT_cpus, series_max(&view->summary->process, PROCESS_cpu_usage)));
	if (number_known(view->run->vcpus) && *rest)
		snprintf(rest + strlen(rest), sizeof rest - strlen(rest), " of %s CPUs",
			terminal_figure(UNIT_cpus, view->run->vcpus).text);
	if (view->figure_width > 0)
		append(rest, sizeof rest, "kernel %s", terminal_duration(totals->system_seconds));
	write_line(view, "CPU", terminal_duration(totals->cpu_seconds).text, "%s", rest);
	write_sparkline(view, PROCESS_cpu_usage, false);
}

static void write_memory(const struct view *view)
{
	const struct totals *totals = &view->summary->totals;
	char rest[200] = "";

	if (view->figure_width > 0)
		append(rest, sizeof rest, "of %s", terminal_figure(UNIT_mib, view->run->machine_memory_mib));
	append(rest, sizeof rest, "mean %s",
		terminal_figure(UNIT_mib, series_mean(&view->summary->process, PROCESS_memory_mib)));
	append(rest, sizeof rest,
		totals->exact_memory || !run_ended(view->run) ? "largest process %s" : "largest at least %s",
		terminal_figure(UNIT_mib, totals->largest_process_mib));
	write_line(view, "Peak memory", terminal_figure(UNIT_mib, totals->peak_memory_mib).text, "%s", rest);
	write_sparkline(view, PROCESS_memory_mib, true);
	bool is_bound = totals->exact_memory || totals->peak_memory_bound_mib < view->run->machine_memory_mib;
	if (view->figure_width > 0 && is_bound && totals->peak_memory_bound_mib > totals->peak_memory_mib * 1.01)
		write_line(view, "  at most", terminal_figure(UNIT_mib, totals->peak_memory_bound_mib).text,
			totals->exact_memory ? "if all that lived at one time had their peaks at once"
					     : "as some peaks are not known");
}

static void write_pair(
	const struct view *view, const char *label, double in, const char *in_word, double out, const char *out_word)
{
	char rest[100] = "";
	append(rest, sizeof rest, "%s", terminal_figure(UNIT_bytes, out));
	if (*rest || number_known(in))
		write_line(view, label, terminal_figure(UNIT_bytes, in).text, "%s%s%s%s%s",
			view->figure_width > 0 ? "" : " ", in_word, *rest ? ", " : "", rest, *rest ? out_word : "");
}

static void write_traffic(const struct view *view)
{
	const struct totals *totals = &view->summary->totals;
	const struct series *system = &view->summary->system;

	write_pair(view, "Disk", totals->disk_read_bytes, "read", totals->disk_write_bytes, " written");
	if (view->figure_width > 0)
		write_pair(view, "Network", series_sum(system, SYSTEM_net_recv_bytes), "received",
			series_sum(system, SYSTEM_net_sent_bytes), " sent by the whole machine");
}

/* Writes how many processes ended unseen, and what the figures may lack for that, as far as there is room. */
static void write_unseen(const struct view *view)
{
	unsigned width = width_left(view, LABEL_WIDTH);
	char text[256];

	exactness_describe_unseen(&view->summary->totals, view->run, width, text, sizeof text);
	begin_line(view, "Not exact");
	terminal_text(&view->terminal, text, width, 0);
	fputc('\n', view->terminal.out);
}

static void write_processes(const struct view *view)
{
	const struct totals *totals = &view->summary->totals;
	write_line(
		view, "Processes", terminal_count(totals->processes).text, "%s", exactness_describe(totals, view->run));
	if (exactness_is_told(totals, view->run))
		write_unseen(view);
}

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

static void write_next(const struct view *view)
{
	const struct resources *resources = &view->recommendation->resources;
	char price[400];
	char gpus[64] = "";
	char cpus[64];

	if (!number_known(resources->cpu))
		return;
	describe_price(view->recommendation, price, sizeof price);
	snprintf(cpus, sizeof cpus, "%s CPU%s", terminal_count(resources->cpu).text, resources->cpu > 1 ? "s" : "");
	if (resources->gpu > 0)
		snprintf(gpus, sizeof gpus, ", %s GPU%s", terminal_count(resources->gpu).text,
			resources->gpu > 1 ? "s" : "");
	write_line(
		view, "Next time", cpus, "%s%s%s", terminal_figure(UNIT_mib, resources->memory_mib).text, gpus, price);
}

static void write_phases(const struct view *view)
{
	struct split split = recommend_split(view->recommendation, view->phases);
	char rest[256];

	if (view->phases->count == 0)
		return;
	phases_describe(view->phases, rest, sizeof rest);
	write_line(view, "Phases", terminal_count((double)view->phases->count).text, "%s", rest);
	if (!split.worth_it)
		return;
	split_describe(&split, false, rest, sizeof rest);
	write_line(view, "  split", "saves", "%s", rest);
}

static void write_tracker(const struct view *view)
{
	const struct totals *totals = &view->summary->totals;
	double share = 100 * totals->tracker_seconds / totals->wall_seconds;

	if (!number_known(totals->tracker_seconds))
		return;
	write_line(view, "Tracker", terminal_duration(totals->tracker_seconds).text,
		isfinite(share) ? "of CPU, %.2g %% of one, not counted above" : "of CPU, not counted above", share);
}

static void write_place(const struct view *view)
{
	begin_line(view, "Run");
	terminal_text(&view->terminal, view->figure_width > 0 ? view->run->id : view->run->directory,
		view->figure_width > 0 ? view->terminal.width - LABEL_WIDTH : SPOOL_PATH_MAX, 0);
	fputc('\n', view->terminal.out);
}

static void show_short(const struct view *view)
{
	fputs("rtrack: ", view->terminal.out);
	write_end(view, width_left(view, sizeof "rtrack: " - 1));
	write_cpu(view);
	write_memory(view);
	write_traffic(view);
	write_processes(view);
	write_place(view);
}

static void write_figures(const struct view *view)
{
	write_heading(view);
	show_postmortem(
		&view->terminal, view->postmortem, view->run->start_time, view->recommendation->resources.memory_mib);
	write_cpu(view);
	write_memory(view);
	write_traffic(view);
	write_processes(view);
	write_tracker(view);
	write_next(view);
	write_phases(view);
	write_place(view);
	show_parts(&view->terminal, view->parts);
}

/* Writes the screen; the programs get the lines that the other parts leave. */
static int show_long(struct view *view, const struct programs *programs)
{
	char *text = NULL;
	size_t size = 0;
	FILE *screen = view->terminal.out;
	unsigned lines = 0;

	view->terminal.out = open_memstream(&text, &size);
	if (!view->terminal.out)
		return -1;
	write_figures(view);
	bool failed = fclose(view->terminal.out) != 0;
	view->terminal.out = screen;
	for (size_t i = 0; !failed && i < size; i++)
		lines += text[i] == '\n';
	if (!failed) {
		fwrite(text, 1, size, screen);
		show_programs(&view->terminal, programs, lines);
	}
	free(text);
	return failed ? -1 : 0;
}

/* -- the command ----------------------------------------------------------------------------------- */

static int show(const struct options *options, const struct run *run, struct summary *summary)
{
	struct recommendation next = {.resources = {UNKNOWN, UNKNOWN, UNKNOWN, UNKNOWN, UNKNOWN, UNKNOWN}};
	struct phases phases = {0};
	struct parts parts;
	struct postmortem postmortem;
	struct view view = {terminal_of(stdout), run, summary, &next, &phases, &parts, &postmortem, FIGURE_WIDTH};
	struct programs programs;
	bool brief = options_given(options, OPTION_short) && !options->json;
	bool failed = processes_lack_figures(&summary->processes) &&
		      processes_add_members(&summary->processes, run->directory) != 0;

	if (summary->usable && !brief && advice_make(&next, options, run, summary) != 0)
		return EXIT_NO_DATA;
	struct postmortem_question question = shortage_question(run, summary);
	failed = failed || postmortem_make(&postmortem, run, &summary->system, &summary->processes, &question) != 0;
	if (failed || phases_find(&phases, &summary->process, run->start_time) != 0 ||
		parts_make(&parts, run, &summary->process, &summary->processes) != 0 ||
		programs_make(&programs, &summary->processes) != 0) {
		message_print("no memory");
		return EXIT_NO_DATA;
	}
	if (options->json) {
		cJSON *json = history_json(summary, run, HISTORY_RUNS);
		if (json)
			cJSON_AddItemToObject(json, "programs", programs_json(&programs));
		if (json)
			cJSON_AddItemToObject(json, "out_of_memory",
				postmortem_json(&postmortem, summary->usable ? next.resources.memory_mib : UNKNOWN));
		if (json && summary->usable)
			cJSON_AddItemToObject(json, "recommendation", recommend_json(&next));
		if (json) {
			struct split split = recommend_split(&next, &phases);
			phases_write_json(&phases, json);
			split_write_json(&split, json);
			parts_write_json(&parts, json);
		}
		(void)json_print(json);
	} else if (brief) {
		view.figure_width = 0;
		show_short(&view);
	} else if (show_long(&view, &programs) != 0) {
		message_print("no memory");
	}
	parts_free(&parts);
	programs_free(&programs);
	return exit_of(summary_check(summary, run));
}

int show_command(const struct options *options, const struct run *run)
{
	struct summary summary;
	uint64_t process_columns = phases_columns() | parts_columns() | recommend_columns(TABLE_process);
	uint64_t system_columns = SERIES_COLUMN(SYSTEM_net_recv_bytes) | SERIES_COLUMN(SYSTEM_net_sent_bytes) |
				  recommend_columns(TABLE_system);
	int status;

	if (summary_read(&summary, run, process_columns, system_columns) != 0)
		return EXIT_NO_DATA;
	if (options_given(options, OPTION_by))
		status = show_bill(options, run, &summary);
	else if (!summary.usable && run->problem)
		status = exit_of(summary_check(&summary, run));
	else
		status = show(options, run, &summary);
	summary_free(&summary);
	return status;
}
