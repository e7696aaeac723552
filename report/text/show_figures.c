/* SPDX-License-Identifier: Apache-2.0 */
/* The figures of `show`: how a run ended and what it used, one per line. */
#define _GNU_SOURCE
#include "report/text/show.h"

#include "core/number.h"
#include "report/model/energy.h"
#include "report/model/exact.h"
#include "report/model/gpu_use.h"
#include "report/model/nest.h"
#include "report/model/outcome.h"
#include "report/say/alloc.h"
#include "report/spool/unit.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* -- lines ----------------------------------------------------------------------------------------- */

unsigned show_width_left(const struct show_view *view, unsigned used)
{
	return view->terminal.width > used ? view->terminal.width - used : 0;
}

static void begin_line(const struct show_view *view, const char *label)
{
	if (view->figure_width == 0)
		fputs("  ", view->terminal.out);
	terminal_put(&view->terminal, COLOUR_dim, "%-*s", SHOW_LABEL_WIDTH, label);
}

void show_line(const struct show_view *view, const char *label, const char *figure, const char *format, ...)
{
	char rest[640];
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(rest, sizeof rest, format, arguments);
	va_end(arguments);
	begin_line(view, label);
	int used = terminal_put(&view->terminal, COLOUR_strong, "%-*s", *rest ? (int)view->figure_width : 0, figure);
	if (view->brief) {
		terminal_text_line(&view->terminal, rest, SHOW_LABEL_WIDTH + (unsigned)used);
		return;
	}
	if (view->figure_width == 0 && *rest && *rest != ' ')
		used += fprintf(view->terminal.out, ", ");
	unsigned column = SHOW_LABEL_WIDTH + (view->figure_width == 0 ? 2 : 0);
	used += (int)column;
	/* Wrapped text is aligned with the text after the figure column. If there is no such column, it is aligned with
	 * the figure. */
	terminal_wrap(&view->terminal, rest, (unsigned)used, view->figure_width == 0 ? column : (unsigned)used);
}

void show_text(const struct show_view *view, const char *label, const char *text)
{
	begin_line(view, label);
	unsigned used = SHOW_LABEL_WIDTH + (view->figure_width == 0 ? 2 : 0);
	if (view->brief) {
		terminal_text_line(&view->terminal, text, used);
		return;
	}
	terminal_wrap(&view->terminal, text, used, used);
}

/* -- the heading ----------------------------------------------------------------------------------- */

enum { JOB_LEAST = 12 };

enum colour show_outcome_colour(enum outcome outcome)
{
	return outcome == OUTCOME_FINISHED                                    ? COLOUR_good
	       : outcome == OUTCOME_RUNNING                                   ? COLOUR_line
	       : outcome == OUTCOME_UNKNOWN || outcome == OUTCOME_INTERRUPTED ? COLOUR_warn
									      : COLOUR_bad;
}

void show_describe_end(const struct show_view *view, char *text, size_t size)
{
	const struct totals *totals = &view->model->totals;
	double seconds = view->model->end_seconds;
	enum outcome outcome = view->model->outcome;

	outcome_describe(outcome, view->run, text, size);
	size_t length = strlen(text);
	if (number_known(seconds))
		length += (size_t)snprintf(text + length, size - length, " %s %s", outcome_preposition(outcome),
			terminal_duration(seconds).text);
	if (outcome == OUTCOME_RUNNING && length < size) {
		outcome_describe_silence(view->run, text + length, size - length);
		length += strlen(text + length);
	}
	if (length < size)
		outcome_describe_rest(
			view->run, seconds, totals->wall_seconds, totals->still_running, text + length, size - length);
}

void show_end(const struct show_view *view, unsigned width)
{
	char end[400];
	show_describe_end(view, end, sizeof end);
	unsigned needed = (unsigned)strlen(end) + 1;
	unsigned job = width > needed + JOB_LEAST ? width - needed : JOB_LEAST;

	unsigned used = terminal_text_in(&view->terminal, COLOUR_strong, view->run->job, job, 0);
	used += *view->run->ends ? 2 : 1;
	fputs(*view->run->ends ? ": " : " ", view->terminal.out);
	terminal_colour(&view->terminal, show_outcome_colour(view->model->outcome));
	/* The text about the end of a group may be longer than a line. It is then wrapped. */
	unsigned columns = terminal_columns(&view->terminal, end);
	if (view->terminal.whole || used + columns <= width) {
		terminal_text(&view->terminal, end, columns, 0);
		fputc('\n', view->terminal.out);
	} else {
		terminal_wrap(&view->terminal, end, used + view->terminal.width - width, 2);
	}
	terminal_colour(&view->terminal, COLOUR_plain);
}

/* Writes where the run ran, and as many labels as fit. */
static void write_place(const struct terminal *terminal, const char *place, const struct run *run)
{
	char *labels = run_labels_line(run);
	char *line = xasprintf("%s%s%s", place, *place && *labels ? "; " : "", labels);

	terminal_text(terminal, line, terminal->width, 0);
	free(line);
	free(labels);
}

void show_heading(const struct show_view *view)
{
	const struct terminal *terminal = &view->terminal;
	char *command = run_command_line(view->run);
	char place[400], failure[FAILURE_SIZE];
	bool started = number_known(view->run->start_time);

	show_end(view, terminal->width);
	if (*command && strcmp(command, view->run->job) != 0) {
		terminal_text_line(terminal, command, 0);
	}
	free(command);
	if (*failure_describe(view->model->failed, &view->model->processes, &view->model->parts, failure))
		terminal_wrap(terminal, failure, 0, 2);
	if (view->inner_jobs->failure.id) {
		char *first = xasprintf("First failure: %s", view->inner_jobs->failure.text);
		terminal_wrap(terminal, first, 0, 2);
		free(first);
	}
	double after = json_double(cJSON_GetObjectItemCaseSensitive(view->run->json, "tracker"), "attached_after");
	snprintf(place, sizeof place, "%s%s%s%s%s",
		!started              ? ""
		: number_known(after) ? "followed from "
				      : "started ",
		started ? terminal_time(view->run->start_time).text : "", started && *view->run->host ? " " : "",
		*view->run->host ? "on " : "", view->run->host);
	if (number_known(after)) {
		size_t length = strlen(place);
		snprintf(place + length, sizeof place - length, ", %s after its start", terminal_duration(after).text);
	}
	terminal_colour(terminal, COLOUR_dim);
	write_place(terminal, place, view->run);
	terminal_colour(terminal, COLOUR_plain);
	fputs(*place ? "\n\n" : "\n", terminal->out);
}

/* -- figures --------------------------------------------------------------------------------------- */

enum { SHORT_INTERVALS = 20 };

/* Appends a formatted figure, after a comma if `text` is not empty. Appends nothing if the figure is unknown. */
static void append(char *text, size_t size, const char *format, struct figure figure)
{
	size_t length = strlen(text);
	if (figure.text[0] == '-' || length + 2 >= size)
		return;
	if (length > 0)
		length += (size_t)snprintf(text + length, size - length, ", ");
	snprintf(text + length, size - length, format, figure.text);
}

static void write_sparkline(const struct show_view *view, const double *values, bool peaks)
{
	const struct terminal *terminal = &view->terminal;
	unsigned width = terminal->width - SHOW_LABEL_WIDTH;

	if (!terminal->live || view->without_sparklines || view->figure_width == 0 || view->model->process.rows < 2)
		return;
	fprintf(terminal->out, "%*s", SHOW_LABEL_WIDTH, "");
	terminal_sparkline(terminal, values, view->model->process.rows, peaks, width < 60 ? width : 60);
	fputc('\n', terminal->out);
}

void show_cpu(const struct show_view *view)
{
	const struct totals *totals = &view->model->totals;
	char rest[200] = "";

	append(rest, sizeof rest, "mean %s", terminal_figure(UNIT_cpus, totals->mean_cpu_usage));
	append(rest, sizeof rest, "peak %s", terminal_figure(UNIT_cpus, view->model->peak_cpu));
	if (number_known(view->run->vcpus) && *rest)
		snprintf(rest + strlen(rest), sizeof rest - strlen(rest), " of %s CPUs",
			terminal_figure(UNIT_cpus, view->run->vcpus).text);
	if (view->figure_width > 0)
		append(rest, sizeof rest, "system %s", terminal_duration(totals->system_seconds));
	show_line(view, "CPU", terminal_duration(totals->cpu_seconds).text, "%s", rest);
	/* The peak is computed from the same rates. In these rates, a last tick of a few milliseconds is averaged with
	 * the ticks before it. */
	double *rates =
		series_rates(&view->model->process, PROCESS_cpu_usage, view->run->start_time, view->run->interval);
	write_sparkline(view, rates, false);
	free(rates);
}

void show_memory(const struct show_view *view)
{
	const struct totals *totals = &view->model->totals;
	char rest[200] = "";

	const struct memory_limit *limit = &view->model->limit;
	if (view->figure_width > 0 || limit->own)
		memory_limit_describe(limit, totals->peak_memory_mib, rest, sizeof rest);
	append(rest, sizeof rest, "%s of them file pages that the kernel can drop",
		terminal_figure(UNIT_mib, totals_file_pages(totals)));
	/* The mean of one or two rows is not meaningful. */
	if (view->model->process.rows > 2)
		append(rest, sizeof rest, "mean %s", terminal_figure(UNIT_mib, totals->mean_memory_mib));
	append(rest, sizeof rest, "largest process %s", terminal_figure(UNIT_mib, totals->peak_process_memory_mib));
	show_line(view, "Peak memory", terminal_figure(UNIT_mib, totals->peak_memory_mib).text, "%s", rest);
	write_sparkline(view, view->model->process.columns[PROCESS_memory_mib], true);
	if (view->figure_width > 0 && totals_bound_tells(totals, view->run))
		show_line(view, "  up to", terminal_figure(UNIT_mib, totals->peak_memory_at_most_mib).text,
			"the largest sum of the own memory of concurrent processes");
	if (view->model->shortage.kind == SHORTAGE_MAYBE)
		show_line(view, "  at end", "unknown", "the job may have been killed for memory");
	if (number_known(totals_tmpfs_files(totals)))
		show_line(view, "  on tmpfs", terminal_figure(UNIT_mib, totals_tmpfs_files(totals)).text,
			"files that the job wrote to memory, as in /dev/shm (estimate)");
}

/* Appends the name of the GPUs if all of them have the same name. */
static void append_name(char *text, size_t size, const struct gpus *gpus)
{
	size_t length = strlen(text);

	if (gpus->count == 0)
		return;
	for (size_t i = 1; i < gpus->count; i++)
		if (strcmp(gpus->items[i].name, gpus->items[0].name) != 0)
			return;
	snprintf(text + length, size - length, " %s", gpus->items[0].name);
}

/* Writes a line about the GPUs, and one line each for idle, waiting and throttled GPUs. */
void show_gpus(const struct show_view *view)
{
	const struct series *process = &view->model->process;
	const cJSON *server = cJSON_GetObjectItemCaseSensitive(view->run->json, "server");
	const struct gpus *gpus = &view->model->gpus;
	char rest[200 + GPUS_TEXT_MAX] = "", idle[GPU_USE_SIZE], wait[GPU_USE_SIZE], slowed[GPU_USE_SIZE],
			unsaid[GPU_USE_SIZE];

	if (gpus->count == 0 && !gpu_use_any(process))
		return;
	append(rest, sizeof rest, "peak %s", terminal_figure(UNIT_gpus, series_max(process, PROCESS_gpu_usage)));
	append(rest, sizeof rest, "of %s",
		terminal_count(gpus->count > 0 ? (double)gpus->count : json_double(server, "gpu_count")));
	append_name(rest, sizeof rest, gpus);
	append(rest, sizeof rest, "memory %s", terminal_figure(UNIT_mib, series_max(process, PROCESS_gpu_vram_mib)));
	append(rest, sizeof rest, "of %s", terminal_figure(UNIT_mib, json_double(server, "gpu_memory_mib")));
	show_line(view, "GPUs", terminal_figure(UNIT_gpus, series_mean(process, PROCESS_gpu_usage)).text, "%s",
		gpu_use_untold(gpus) ? "the job's part cannot be told from that of others" : rest);
	if (view->brief)
		return;
	gpu_use_idle(view->model, idle);
	gpu_use_wait(view->model, wait);
	gpu_use_slowed(gpus, slowed);
	gpu_use_unsaid(gpus, unsaid);
	if (*idle)
		show_line(view, "  idle", "", "%s", idle);
	if (*wait)
		show_line(view, "  waiting", "", "%s", wait);
	if (*slowed)
		show_line(view, "  slowed", "", "%s", slowed);
	if (*unsaid)
		show_line(view, "  not told", "", "%s", unsaid);
}

void show_energy(const struct show_view *view)
{
	const struct totals *totals = &view->model->totals;
	double carbon_g = energy_carbon_g(totals->energy_wh);
	char rest[200] = "";

	if (!number_known(totals->energy_wh))
		return;
	append(rest, sizeof rest, "GPUs %s", terminal_figure(UNIT_wh, totals->gpu_energy_wh));
	if (number_known(totals->process_energy_wh))
		append(rest, sizeof rest, "processors %s by its processes that ended",
			terminal_figure(UNIT_wh, totals->process_energy_wh));
	else
		append(rest, sizeof rest, "processors %s by its CPU time (estimate)",
			terminal_figure(UNIT_wh, totals->package_energy_wh));
	/* rtrack-gpu begins to measure after the first interval. In a short run, this interval is a large part of the
	 * run, so the text says that it is missing. */
	if ((number_known(totals->gpu_energy_wh) || number_known(totals->package_energy_wh)) &&
		view->run->interval > totals->wall_seconds / SHORT_INTERVALS)
		append(rest, sizeof rest, "without the first %s", terminal_duration(view->run->interval));
	if (number_known(carbon_g))
		append(rest, sizeof rest, "%s g CO2", terminal_count(carbon_g));
	show_line(view, "Energy", terminal_figure(UNIT_wh, totals->energy_wh).text, "%s", rest);
}

/* Writes the totals of kind TOTAL_COMPARED that are above 0 and have no line of their own. */
void show_others(const struct show_view *view)
{
	static const bool elsewhere[TOTAL_COUNT] = {[TOTAL_wall_seconds] = true,
		[TOTAL_cpu_seconds] = true,
		[TOTAL_user_seconds] = true,
		[TOTAL_system_seconds] = true,
		[TOTAL_mean_cpu_usage] = true,
		[TOTAL_peak_memory_mib] = true,
		[TOTAL_peak_process_memory_mib] = true,
		[TOTAL_processes] = true,
		[TOTAL_disk_read_bytes] = true,
		[TOTAL_disk_write_bytes] = true,
		[TOTAL_energy_wh] = true};
	char rest[200] = "";

	for (int i = 0; i < TOTAL_COUNT; i++) {
		const struct total *total = &total_table[i];
		double value = total_value(&view->model->totals, (enum total_id)i);
		if (total->shown != TOTAL_COMPARED || elsewhere[i] || !(value > 0))
			continue;
		size_t length = strlen(rest);
		snprintf(rest + length, sizeof rest - length, "%s%s %s", length > 0 ? ", " : "", total->label,
			terminal_figure(total->unit, value).text);
	}
	if (*rest)
		show_text(view, "Others", rest);
}

static void write_pair(const struct show_view *view, const char *label, double in, const char *in_word, double out,
	const char *out_word)
{
	char rest[100] = "";
	append(rest, sizeof rest, "%s", terminal_figure(UNIT_bytes, out));
	if (*rest || number_known(in))
		show_line(view, label, terminal_figure(UNIT_bytes, in).text, "%s%s%s%s%s",
			view->figure_width > 0 ? "" : " ", in_word, *rest ? ", " : "", rest, *rest ? out_word : "");
}

void show_traffic(const struct show_view *view)
{
	const struct totals *totals = &view->model->totals;
	const struct series *system = &view->model->system;

	write_pair(view, "Disk", totals->disk_read_bytes, "read", totals->disk_write_bytes, " written");
	if (view->figure_width > 0 && !view->brief)
		write_pair(view, "Network", series_sum(system, SYSTEM_net_recv_bytes), "received",
			series_sum(system, SYSTEM_net_sent_bytes), " sent by the whole machine");
}

void show_living(const struct show_view *view, size_t most)
{
	const struct processes *processes = &view->model->processes;
	size_t count = 0;
	char text[200];

	for (size_t i = 0; view->run->goes_on && i < processes->count; i++) {
		const struct process *process = &processes->items[i];
		if (!process_lives_on(process) || count++ >= most)
			continue;
		snprintf(text, sizeof text, "pid %d %s", process->id.pid,
			process->command && *process->command ? process->command : "of an unknown command");
		show_text(view, count == 1 ? "Still there" : "", text);
	}
	if (count > most && !view->brief) {
		snprintf(text, sizeof text, "and %zu more", count - most);
		show_text(view, "", text);
	}
}

void show_processes(const struct show_view *view)
{
	enum { LIVING_NAMED = 3 };
	const struct totals *totals = &view->model->totals;
	const char *followed = exactness_describe(totals, view->run);
	char rest[200] = "", unseen[256];

	if (!totals->exact_processes)
		snprintf(rest, sizeof rest, "%sor more%s", view->figure_width > 0 ? "" : " ", *followed ? ", " : "");
	snprintf(rest + strlen(rest), sizeof rest - strlen(rest), "%s", followed);
	show_line(view, "Processes", terminal_count(totals->processes).text, "%s", rest);
	show_living(view, LIVING_NAMED);
	if (exactness_is_told(totals, view->run)) {
		exactness_describe_unseen(totals, view->run, unseen, sizeof unseen);
		show_text(view, "Not exact", unseen);
	}
	if (exactness_missing_records(view->run))
		show_text(view, "Missing", exactness_missing_records(view->run));
}

void show_tracker(const struct show_view *view)
{
	const struct totals *totals = &view->model->totals;
	double share = 100 * totals->tracker_seconds / totals->wall_seconds;

	if (!number_known(totals->tracker_seconds))
		return;
	const char *format = !isfinite(share) ? "of CPU, not counted above"
			     : share < 99.5   ? "of CPU, %.2g %% of one, not counted above"
					      : "of CPU, %.0f %% of one, not counted above";
	show_line(view, "Tracker", terminal_duration(totals->tracker_seconds).text, format, share);
}

void show_claims(const struct show_view *view)
{
	if (view->run->claimed_id)
		show_text(view, "Claims id", view->run->claimed_id);
	if (view->run->claimed_user)
		show_text(view, "Claims user", view->run->claimed_user);
}

void show_place(const struct show_view *view)
{
	const char *parent = view->model->group ? "" : nest_parent(view->run);
	char unit[UNIT_NAME_SIZE] = "";

	show_text(view, "Run", view->figure_width > 0 ? view->run->id : view->run->directory);
	if (*parent)
		show_text(view, "Inside", parent);
	if (!view->model->group)
		unit_of(view->run, unit);
	if (*unit)
		show_text(view, "Part of", unit);
	show_claims(view);
}
