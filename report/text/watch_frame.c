/* SPDX-License-Identifier: Apache-2.0 */
/* The output of `watch` for a run at one moment. */
#include "report/text/watch_frame.h"

#include "core/number.h"
#include "report/model/outcome.h"
#include "report/model/gpu_use.h"
#include "report/say/array.h"
#include "report/say/alloc.h"
#include "report/say/message.h"
#include "report/spool/reader.h"
#include "report/text/show.h"
#include "report/text/table.h"

#include <stdlib.h>
#include <string.h>

enum { LABEL_WIDTH = 12, FIGURE_WIDTH = 13 };

/* -- living processes ------------------------------------------------------------------------------ */

struct taking {
	struct living_process *items; /* items[i] belongs to the process with index i */
	const struct processes *processes;
};

static void take_row(void *context, const struct process *process, struct reader *reader)
{
	const struct taking *taking = context;
	struct living_process *item = &taking->items[process - taking->processes->items];

	item->process = process;
	item->time = reader_number(reader, MEMBER_timestamp);
	item->cpus = reader_number(reader, MEMBER_cpu_usage);
	item->memory_mib = known_first(reader_number(reader, MEMBER_memory_mib), reader_number(reader, MEMBER_rss_mib));
}

static int busiest_first(const void *a, const void *b)
{
	const struct living_process *x = a, *y = b;

	if (x->cpus != y->cpus)
		return x->cpus < y->cpus ? 1 : -1;
	if (x->memory_mib != y->memory_mib)
		return x->memory_mib < y->memory_mib ? 1 : -1;
	return x->process->id.pid < y->process->id.pid ? -1 : x->process->id.pid > y->process->id.pid;
}

static void living_make(struct living *living, const struct model *model)
{
	const struct processes *processes = &model->processes;
	double last = series_last(&model->process, PROCESS_timestamp);
	struct taking taking = {xcalloc(processes->count, sizeof *taking.items), processes};

	*living = (struct living){.items = taking.items};
	processes_each_member(processes, &model->run->files, take_row, &taking);
	for (size_t i = 0; i < processes->count; i++) {
		struct living_process item = taking.items[i];
		if (!item.process || number_known(item.process->end_time))
			continue;
		/* A process used no CPU time in the last tick if it has no row for that tick. */
		item.cpus = item.time >= last ? known_first(item.cpus, 0) : 0;
		item.memory_mib = known_first(item.memory_mib, 0);
		item.line = code_latest(&model->code, item.process->id.pid);
		living->items[living->count++] = item;
	}
	array_sort(living->items, living->count, busiest_first);
}

static void living_show(const struct living *living, const struct terminal *terminal, unsigned lines)
{
	struct text_table table = TABLE(terminal, {"Process", TABLE_FIGURE, 8, 0}, {"CPUs", TABLE_FIGURE, 6, 0},
		{"Memory", TABLE_FIGURE, 10, 0}, {"Command", TABLE_REST, 0, 0});
	size_t room = lines > 1 ? lines - 1 : 0;
	size_t shown = living->count <= room ? living->count : room > 1 ? room - 1 : 0;

	if (shown == 0)
		return;
	table_heading(&table);
	for (size_t i = 0; i < shown; i++) {
		const struct living_process *item = &living->items[i];
		const char *exe = item->process->exe;
		char pid[16], name[CODE_NAME_SIZE], line[CODE_NAME_SIZE + 2];
		snprintf(pid, sizeof pid, "%d", item->process->id.pid);
		if (item->line)
			snprintf(line, sizeof line, "  %s", code_name(item->line, name));
		table.kept = item->line ? line : NULL;
		table_row(&table, pid, terminal_figure(UNIT_cpus, item->cpus).text,
			terminal_figure(UNIT_mib, item->memory_mib).text,
			show_command(item->process->command, exe && *exe ? exe : "(unknown)"));
	}
	if (shown < living->count)
		fprintf(terminal->out, "%8s and %s more\n", "", terminal_count((double)(living->count - shown)).text);
}

int watch_frame_read(struct watch_frame *frame, const char *directory, bool living, uint64_t more)
{
	const struct model_wish wish = {.sections = MODEL_LINES,
		.process_columns = SERIES_COLUMN(PROCESS_gpu_usage) | SERIES_COLUMN(PROCESS_gpu_vram_mib) | more};

	*frame = (struct watch_frame){.usual_seconds = UNKNOWN};
	if (run_open(&frame->run, directory) != 0)
		return -1;
	message_quiet(true);
	model_read(&frame->model, &frame->run, &wish);
	if (living)
		living_make(&frame->living, &frame->model);
	message_quiet(false);
	return 0;
}

void watch_frame_free(struct watch_frame *frame)
{
	free(frame->living.items);
	model_free(&frame->model);
	run_close(&frame->run);
}

/* -- the last row ---------------------------------------------------------------------------------- */

static double last(const struct watch_frame *frame, int column)
{
	const struct series *series = &frame->model.process;
	return series->rows > 0 ? series_value(series, column, series->rows - 1) : UNKNOWN;
}

/* Returns the rate of a counter per second in the last tick. */
static double rate(const struct watch_frame *frame, int column)
{
	const struct series *series = &frame->model.process;
	double before =
		series->rows > 1 ? series_value(series, PROCESS_timestamp, series->rows - 2) : frame->run.start_time;
	double seconds = last(frame, PROCESS_timestamp) - before;
	return seconds > 0 ? last(frame, column) / seconds : UNKNOWN;
}

/* Returns the current code line of a living process, or NULL if none is known. If there are several, returns the line
 * that used the most CPU time in its last row. */
static const struct code_line *current_line(const struct watch_frame *frame)
{
	const struct processes *processes = &frame->model.processes;
	const struct code_line *most = NULL;

	for (size_t i = 0; i < processes->count; i++) {
		const struct process *process = &processes->items[i];
		const struct code_line *line =
			number_known(process->end_time) ? NULL : code_latest(&frame->model.code, process->id.pid);
		if (line && (!most || line->cpu_seconds > most->cpu_seconds))
			most = line;
	}
	return most;
}

/* -- a screen -------------------------------------------------------------------------------------- */

static void write_line(const struct terminal *terminal, const char *label, const char *figure, const char *rest)
{
	terminal_colour(terminal, COLOUR_dim);
	fprintf(terminal->out, "%-*s", LABEL_WIDTH, label);
	terminal_colour(terminal, COLOUR_strong);
	int used = LABEL_WIDTH + fprintf(terminal->out, "%-*s", FIGURE_WIDTH, figure);
	terminal_colour(terminal, COLOUR_plain);
	terminal_text(terminal, rest, terminal->width > (unsigned)used ? terminal->width - (unsigned)used : 0, 0);
	fputc('\n', terminal->out);
}

/* Draws the values of the last ticks as blocks. Draws as many as fit. */
static void write_watch_line(const struct terminal *terminal, const struct watch_frame *frame, int column)
{
	const struct series *series = &frame->model.process;
	const double *values = series->columns[column];
	unsigned width = terminal->width - LABEL_WIDTH;

	width = width < 60 ? width : 60;
	size_t skipped = series->rows > width ? series->rows - width : 0;
	fprintf(terminal->out, "%*s", LABEL_WIDTH, "");
	terminal_sparkline(terminal, values ? values + skipped : NULL, series->rows - skipped, true, width);
	fputc('\n', terminal->out);
}

/* Returns true if the terminal has room for more than the figures. */
static bool is_high(const struct terminal *terminal)
{
	enum { HIGH = 12 };
	return terminal->height == 0 || terminal->height >= HIGH;
}

static void write_heading(const struct terminal *terminal, const struct watch_frame *frame)
{
	char *command = run_command_line(&frame->run);
	double seconds = frame->model.totals.wall_seconds, left = frame->usual_seconds - seconds;
	char state[160];

	int length = snprintf(state, sizeof state, " %.20s for %s", frame->run.status, terminal_duration(seconds).text);
	if (left > 0 && terminal->width >= 60)
		snprintf(state + length, sizeof state - (size_t)length, ", about %s left as earlier runs took %s",
			terminal_duration(left).text, terminal_duration(frame->usual_seconds).text);
	unsigned needed = (unsigned)strlen(state);
	terminal_colour(terminal, COLOUR_strong);
	terminal_text(terminal, frame->run.job, terminal->width > needed + 8 ? terminal->width - needed : 8, 0);
	terminal_put(terminal, COLOUR_line, "%s", state);
	fputc('\n', terminal->out);
	if (is_high(terminal)) {
		terminal_text(terminal, command, terminal->width, 0);
		fputs("\n\n", terminal->out);
	}
	free(command);
}

static void write_cpu(const struct terminal *terminal, const struct watch_frame *frame)
{
	char rest[200];
	snprintf(rest, sizeof rest, "of %s CPUs now, peak %s, %s of CPU time so far",
		terminal_figure(UNIT_cpus, frame->run.vcpus).text,
		terminal_figure(UNIT_cpus, frame->model.peak_cpu).text,
		terminal_duration(frame->model.totals.cpu_seconds).text);
	write_line(terminal, "CPU", terminal_figure(UNIT_cpus, last(frame, PROCESS_cpu_usage)).text, rest);
	if (is_high(terminal))
		write_watch_line(terminal, frame, PROCESS_cpu_usage);
}

static void write_memory(const struct terminal *terminal, const struct watch_frame *frame)
{
	char rest[200];
	char of[100];
	memory_limit_describe(&frame->model.limit, frame->model.totals.peak_memory_mib, of, sizeof of);
	snprintf(rest, sizeof rest, "now, peak %s %s",
		terminal_figure(UNIT_mib, frame->model.totals.peak_memory_mib).text, of);
	write_line(terminal, "Memory", terminal_figure(UNIT_mib, last(frame, PROCESS_memory_mib)).text, rest);
	if (is_high(terminal))
		write_watch_line(terminal, frame, PROCESS_memory_mib);
}

static void write_gpus(const struct terminal *terminal, const struct watch_frame *frame)
{
	const struct series *series = &frame->model.process;
	char rest[200];

	snprintf(rest, sizeof rest, "now, peak %s; memory %s, peak %s",
		terminal_figure(UNIT_gpus, series_max(series, PROCESS_gpu_usage)).text,
		terminal_figure(UNIT_mib, last(frame, PROCESS_gpu_vram_mib)).text,
		terminal_figure(UNIT_mib, series_max(series, PROCESS_gpu_vram_mib)).text);
	write_line(terminal, "GPUs", terminal_figure(UNIT_gpus, last(frame, PROCESS_gpu_usage)).text, rest);
}

static void write_others(const struct terminal *terminal, const struct watch_frame *frame)
{
	const struct totals *totals = &frame->model.totals;
	char rest[200];

	snprintf(rest, sizeof rest, "read, %s written now; %s and %s so far",
		terminal_figure(UNIT_rate, rate(frame, PROCESS_disk_write_bytes)).text,
		terminal_figure(UNIT_bytes, totals->disk_read_bytes).text,
		terminal_figure(UNIT_bytes, totals->disk_write_bytes).text);
	write_line(terminal, "Disk", terminal_figure(UNIT_rate, rate(frame, PROCESS_disk_read_bytes)).text, rest);
	snprintf(rest, sizeof rest, "now, %s%s so far", terminal_count(totals->processes).text,
		!totals->exact_processes ? " or more" : "");
	write_line(terminal, "Processes", terminal_count(last(frame, PROCESS_members)).text, rest);
}

void watch_frame_screen(const struct watch_frame *frame, const struct terminal *terminal)
{
	enum { HIGH_ABOVE = 9, LOW_ABOVE = 5, BELOW = 3, MOST = 40, LEAST = 3 };
	bool high = is_high(terminal);
	bool gpus = gpu_use_any(&frame->model.process);
	unsigned used = (unsigned)(high ? HIGH_ABOVE + BELOW : LOW_ABOVE) + (gpus ? 1u : 0u);
	unsigned room = terminal->height == 0 ? MOST : terminal->height > used ? terminal->height - used : 0;

	write_heading(terminal, frame);
	write_cpu(terminal, frame);
	write_memory(terminal, frame);
	if (gpus)
		write_gpus(terminal, frame);
	write_others(terminal, frame);
	if (room >= LEAST) {
		if (high)
			fputc('\n', terminal->out);
		living_show(&frame->living, terminal, room);
	}
	if (!high)
		return;
	fputc('\n', terminal->out);
	terminal_dim_line(terminal, "q quits; the run goes on");
}

/* -- a line ---------------------------------------------------------------------------------------- */

void watch_frame_line(const struct watch_frame *frame, FILE *out)
{
	const struct totals *totals = &frame->model.totals;
	const struct code_line *code = current_line(frame);
	char gpus[64] = "", name[CODE_NAME_SIZE];
	if (gpu_use_any(&frame->model.process))
		snprintf(gpus, sizeof gpus, " GPUs %s,",
			terminal_figure(UNIT_gpus, last(frame, PROCESS_gpu_usage)).text);
	fprintf(out, "%s for %s: CPU %s, memory %s,%s processes %s; CPU time %s, peak memory %s so far%s%s\n",
		frame->run.status, terminal_duration(totals->wall_seconds).text,
		terminal_figure(UNIT_cpus, last(frame, PROCESS_cpu_usage)).text,
		terminal_figure(UNIT_mib, last(frame, PROCESS_memory_mib)).text, gpus,
		terminal_count(last(frame, PROCESS_members)).text, terminal_duration(totals->cpu_seconds).text,
		terminal_figure(UNIT_mib, totals->peak_memory_mib).text, code ? "; at " : "",
		code ? code_name(code, name) : "");
}

void watch_frame_json(const struct watch_frame *frame, FILE *out)
{
	cJSON *json = cJSON_CreateObject();
	cJSON_AddStringToObject(json, "id", frame->run.id);
	cJSON_AddStringToObject(json, "status", frame->run.status);
	json_add_number(json, "timestamp", last(frame, PROCESS_timestamp), 3);
	json_add_number(json, "cpu_usage", last(frame, PROCESS_cpu_usage), 4);
	json_add_number(json, "memory_mib", last(frame, PROCESS_memory_mib), 3);
	json_add_number(json, "gpu_usage", last(frame, PROCESS_gpu_usage), 4);
	json_add_number(json, "gpu_vram_mib", last(frame, PROCESS_gpu_vram_mib), 3);
	json_add_number(json, "members", last(frame, PROCESS_members), 0);
	cJSON_AddItemToObject(json, "line", code_place_json(current_line(frame)));
	totals_write_json(&frame->model.totals, cJSON_AddObjectToObject(json, "totals"));
	char *text = cJSON_PrintUnformatted(json);
	json_write(out, text);
	cJSON_free(text);
	cJSON_Delete(json);
}
