/* rtrack-report show --by: the bill of a run, as a table or as JSON. */
#include "report/commands/show_bill.h"

#include "report/commands/commands.h"
#include "report/model/bill.h"
#include "report/say/message.h"
#include "report/say/terminal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { ROWS_SHOWN = 20, BILL_WIDE = 72, BILL_GPU_WIDTH = 20, BILL_CPU_WIDTH = 9 };

struct table_view {
	struct terminal terminal;
	bool by_process;
	bool gpus;          /* a process used one */
	double cpu_seconds; /* of all rows */
	int cpu_width;
};

/* Whether what was read and written fits beside a name such as "(in no record)". */
static bool is_wide(const struct table_view *view)
{
	return view->terminal.width >= BILL_WIDE + (view->gpus ? BILL_GPU_WIDTH : 0);
}

static struct figure share_of(const struct table_view *view, double cpu_seconds)
{
	struct figure figure = {""};
	if (number_known(cpu_seconds) && view->cpu_seconds > 0)
		snprintf(figure.text, sizeof figure.text, "%.0f %%", 100 * cpu_seconds / view->cpu_seconds);
	return figure;
}

/* Writes the cells before the name, which may be headings. */
static unsigned write_bill_cells(const struct table_view *view, const char *cpu, const char *share, const char *peak,
	const char *read, const char *written, const char *const gpu[2], const char *count)
{
	FILE *out = view->terminal.out;
	int used = fprintf(out, "%*s %5s", view->cpu_width, cpu, share);
	if (view->terminal.width < TERMINAL_NARROW)
		return (unsigned)(used + fprintf(out, "  "));
	used += fprintf(out, " %9s", peak);
	if (is_wide(view))
		used += fprintf(out, " %8s %8s", read, written);
	if (view->gpus)
		used += fprintf(out, " %9s %9s", gpu[0], gpu[1]);
	used += fprintf(out, " %*s  ", view->by_process ? 7 : 6, count);
	return (unsigned)used;
}

static void write_name(const struct table_view *view, const char *name, const char *more, unsigned used)
{
	size_t size = strlen(name) + strlen(more) + 1;
	char *text = malloc(size);

	if (text) {
		snprintf(text, size, "%s%s", name, more);
		terminal_text(&view->terminal, text, view->terminal.width - used, 0);
		free(text);
	}
	fputc('\n', view->terminal.out);
}

/* A duration; that of a correction is negative. */
static struct figure duration_of(double seconds)
{
	struct figure size = terminal_duration(fabs(seconds));
	struct figure figure = {"-"};

	if (!(seconds < 0))
		return terminal_duration(seconds);
	snprintf(figure.text, sizeof figure.text, "-%.40s", size.text);
	return figure;
}

static int widest(int width, double seconds)
{
	int needed = (int)strlen(duration_of(seconds).text);

	return needed > width ? needed : width;
}

static void write_bill_row(const struct table_view *view, const struct bill_row *row, const char *name)
{
	struct figure count = terminal_count(row->processes);
	struct figure known = {""};
	struct figure gpu = terminal_duration(row->gpu_seconds), vram = terminal_figure(UNIT_mib, row->peak_vram_mib);
	const char *const gpu_cells[] = {gpu.text, vram.text};

	if (row->process)
		snprintf(count.text, sizeof count.text, "%d", row->process->id.pid);
	unsigned used = write_bill_cells(view, duration_of(row->cpu_seconds).text,
		share_of(view, row->cpu_seconds).text, terminal_figure(UNIT_mib, row->peak_memory_mib).text,
		terminal_figure(UNIT_bytes, row->read_bytes).text, terminal_figure(UNIT_bytes, row->write_bytes).text,
		gpu_cells, row->processes > 0 ? count.text : known.text);
	write_name(view, name, !row->differs ? "" : view->terminal.utf8 ? " \u2026" : " ...", used);
}

static void write_title(const struct table_view *view)
{
	static const char *const gpu[] = {"GPU time", "VRAM"};

	terminal_colour(&view->terminal, COLOUR_dim);
	unsigned used = write_bill_cells(
		view, "CPU", "", "Largest", "Read", "Written", gpu, view->by_process ? "Process" : "Count");
	write_name(view, "Command", "", used);
	terminal_colour(&view->terminal, COLOUR_plain);
}

/* The command line from the base name of its program on. */
static const char *short_command(const struct bill_row *row)
{
	const char *name = row->command;

	if (*name == '\0')
		return row->program;
	for (const char *c = name; *c && *c != ' '; c++)
		if (*c == '/')
			name = c + 1;
	return *name && *name != ' ' ? name : row->command;
}

/* Prints at most `limit` rows, the others as one, and always the difference to the totals. */
static void print_rows(const struct table_view *view, const struct bill *bill, double limit)
{
	const struct bill_row *difference = bill_difference(bill);
	size_t named = bill->count - bill->has_difference;
	size_t shown = limit < (double)named ? (size_t)limit : named;
	char name[64];

	for (size_t i = 0; i < shown; i++)
		write_bill_row(view, &bill->rows[i], short_command(&bill->rows[i]));
	if (shown < named) {
		struct bill_row rest = bill_sum(bill, shown, named);
		snprintf(name, sizeof name, "(%s more)", terminal_count((double)(named - shown)).text);
		write_bill_row(view, &rest, name);
	}
	if (difference)
		write_bill_row(view, difference, difference->program);
}

static void print_bill_table(struct table_view *view, const struct bill *bill, double limit)
{
	view->cpu_seconds = bill->all.cpu_seconds;
	view->gpus = bill->all.gpu_seconds > 0 || bill->all.peak_vram_mib > 0;
	view->cpu_width = BILL_CPU_WIDTH;
	for (size_t i = 0; i < bill->count; i++)
		view->cpu_width = widest(view->cpu_width, bill->rows[i].cpu_seconds);
	view->cpu_width = widest(view->cpu_width, bill->all.cpu_seconds);
	write_title(view);
	print_rows(view, bill, limit);
	terminal_colour(&view->terminal, COLOUR_strong);
	write_bill_row(view, &bill->all, "(all)");
	terminal_colour(&view->terminal, COLOUR_plain);
}

static int print_bill(const struct options *options, const struct model *model, const struct bill *bill)
{
	double limit = options->number[OPTION_limit];
	struct table_view view = {.terminal = terminal_of(stdout), .by_process = bill == &model->by_process};

	if (!options->json) {
		print_bill_table(&view, bill, number_known(limit) ? limit : ROWS_SHOWN);
		return EXIT_DONE;
	}
	cJSON *json = cJSON_CreateObject();
	cJSON_AddStringToObject(json, "id", model->run->id);
	cJSON_AddStringToObject(json, "by", options->text[OPTION_by]);
	cJSON_AddItemToObject(json, "bill", bill_json(bill));
	totals_write_json(&model->totals, cJSON_AddObjectToObject(json, "totals"));
	return exit_of(json_print(json));
}

enum model_section show_bill_section(const struct options *options)
{
	return strcmp(options->text[OPTION_by], "process") == 0 ? MODEL_PROCESSES : MODEL_PROGRAMS;
}

int show_bill(const struct options *options, const struct model *model)
{
	bool by_process = show_bill_section(options) == MODEL_PROCESSES;

	if (!model->usable)
		return exit_of(model_check(model));
	return print_bill(options, model, by_process ? &model->by_process : &model->programs);
}
