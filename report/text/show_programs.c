/* The programs of a run below its figures; see show_programs.h. */
#define _GNU_SOURCE
#include "report/text/show_programs.h"

#include <stdlib.h>

static int write_program_cells(
	const struct terminal *terminal, const char *processes, const char *cpu, const char *peak)
{
	if (terminal->width < TERMINAL_NARROW)
		return fprintf(terminal->out, "%9s  ", cpu);
	return fprintf(terminal->out, "%9s %12s %10s  ", processes, cpu, peak);
}

static void write_program(const struct terminal *terminal, const struct bill_row *program)
{
	const char *more = !program->differs ? "" : terminal->utf8 ? " \u2026" : " ...";
	char *text;
	int used = write_program_cells(terminal, terminal_count(program->processes).text,
		terminal_duration(program->cpu_seconds).text, terminal_figure(UNIT_mib, program->peak_memory_mib).text);

	if (asprintf(&text, "%s%s", program->command, more) >= 0) {
		terminal_text(
			terminal, text, terminal->width > (unsigned)used ? terminal->width - (unsigned)used : 0, 0);
		free(text);
	}
	fputc('\n', terminal->out);
}

/* What is in no record, where the rows would else be seen to sum to less than the total; NULL. */
static const struct bill_row *find_rest(const struct bill *bill)
{
	static const double WORTH_A_LINE = 0.01;
	const struct bill_row *rest = bill_difference(bill);

	return rest && rest->cpu_seconds >= WORTH_A_LINE * bill->all.cpu_seconds ? rest : NULL;
}

/* How many programs fit on the screen with their title, `further` lines behind them, and the prompt. */
static size_t count_shown(const struct terminal *terminal, const struct bill *bill, unsigned lines, unsigned further)
{
	enum { LEAST = 1, MOST = 8, OTHER_LINES = 3 };
	unsigned used = lines + OTHER_LINES + further;
	size_t room = terminal->height > used ? terminal->height - used : 0;

	room = terminal->height == 0 || room > MOST ? MOST : room < LEAST ? LEAST : room;
	return bill->programs < room ? bill->programs : room;
}

void show_programs(const struct terminal *terminal, const struct bill *bill, unsigned lines)
{
	const struct bill_row *rest = find_rest(bill);
	/* The line that says that there are more, and the rest. */
	size_t shown = count_shown(terminal, bill, lines, rest ? 2 : 1);

	if (shown == 0)
		return;
	fputc('\n', terminal->out);
	terminal_colour(terminal, COLOUR_dim);
	write_program_cells(terminal, "Processes", "CPU", "Largest");
	fputs("Program\n", terminal->out);
	terminal_colour(terminal, COLOUR_plain);
	for (size_t i = 0; i < shown; i++)
		write_program(terminal, &bill->rows[i]);
	if (shown < bill->programs)
		fprintf(terminal->out, "%9s  and %s more program%s\n", "",
			terminal_count((double)(bill->programs - shown)).text, bill->programs - shown > 1 ? "s" : "");
	if (rest) {
		write_program_cells(terminal, rest->processes > 0 ? terminal_count(rest->processes).text : "",
			terminal_duration(rest->cpu_seconds).text, "");
		fprintf(terminal->out, "%s\n", rest->program);
	}
}
