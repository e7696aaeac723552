/* The processes of a run at its last tick; see watch_living.h. */
#include "report/text/watch_living.h"

#include "core/number.h"
#include "report/spool/reader.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { COMMAND_LEAST = 12 /* columns, beside the line of code */ };

struct taking {
	struct living_process *items; /* by the processes' positions */
	const struct processes *processes;
};

static int take_row(void *context, const struct process *process, struct reader *reader)
{
	const struct taking *taking = context;
	struct living_process *item = &taking->items[process - taking->processes->items];

	item->process = process;
	item->time = reader_number(reader, MEMBER_timestamp);
	item->cpus = reader_number(reader, MEMBER_cpu_usage);
	item->memory_mib = known_first(reader_number(reader, MEMBER_memory_mib), reader_number(reader, MEMBER_rss_mib));
	return 0;
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

int living_make(struct living *living, const struct model *model)
{
	const struct processes *processes = &model->processes;
	double last = series_last(&model->process, PROCESS_timestamp);
	struct taking taking = {calloc(processes->count + 1, sizeof *taking.items), processes};

	*living = (struct living){.items = taking.items};
	if (!taking.items || processes_each_member(processes, model->run->directory, take_row, &taking) != 0) {
		living_free(living);
		errno = ENOMEM;
		return -1;
	}
	for (size_t i = 0; i < processes->count; i++) {
		struct living_process item = taking.items[i];
		if (!item.process || number_known(item.process->end_time))
			continue;
		/* A process without a row in the last tick used nothing in it. */
		item.cpus = item.time >= last ? known_first(item.cpus, 0) : 0;
		item.memory_mib = known_first(item.memory_mib, 0);
		item.line = code_latest(&model->code, item.process->id.pid);
		living->items[living->count++] = item;
	}
	if (living->count > 1)
		qsort(living->items, living->count, sizeof *living->items, busiest_first);
	return 0;
}

void living_free(struct living *living)
{
	free(living->items);
	*living = (struct living){0};
}

/* The command line from the base name of its program on. */
static const char *name_of(const struct process *process)
{
	const char *text = process->command && *process->command ? process->command : process->exe;
	const char *name = text ? text : "";

	for (const char *c = name; *c && *c != ' '; c++)
		if (*c == '/')
			name = c + 1;
	return *name && *name != ' ' ? name : text ? text : "(unknown)";
}

static void show_process(const struct terminal *terminal, const struct living_process *item)
{
	int used = fprintf(terminal->out, "%8d %6s %10s  ", item->process->id.pid,
		terminal_figure(UNIT_cpus, item->cpus).text, terminal_figure(UNIT_mib, item->memory_mib).text);
	unsigned left = terminal->width > (unsigned)used ? terminal->width - (unsigned)used : 0;

	char line[CODE_NAME_SIZE] = "";
	unsigned beside = 0;
	if (item->line)
		beside = (unsigned)strlen(code_name(item->line, line)) + 2;
	if (beside == 0 || left < beside + COMMAND_LEAST) {
		terminal_text(terminal, name_of(item->process), left, 0);
	} else {
		terminal_text(terminal, name_of(item->process), left - beside, 0);
		terminal_colour(terminal, COLOUR_dim);
		fputs("  ", terminal->out);
		terminal_text(terminal, line, beside - 2, 0);
		terminal_colour(terminal, COLOUR_plain);
	}
	fputc('\n', terminal->out);
}

void living_show(const struct living *living, const struct terminal *terminal, unsigned lines)
{
	size_t room = lines > 1 ? lines - 1 : 0;
	size_t shown = living->count <= room ? living->count : room > 1 ? room - 1 : 0;
	char title[80];

	if (shown == 0)
		return;
	snprintf(title, sizeof title, "%8s %6s %10s  %s", "Process", "CPUs", "Memory", "Command");
	terminal_dim_line(terminal, title);
	for (size_t i = 0; i < shown; i++)
		show_process(terminal, &living->items[i]);
	if (shown < living->count)
		fprintf(terminal->out, "%8s and %s more\n", "", terminal_count((double)(living->count - shown)).text);
}
