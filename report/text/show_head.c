/* How a run ended, in a line; see show_head.h. */
#define _GNU_SOURCE
#include "report/text/show_head.h"

#include <stdlib.h>
#include <string.h>

enum { JOB_LEAST = 12 };

static enum colour status_colour(const struct run *run)
{
	return strcmp(run->status, "finished") == 0  ? COLOUR_good
	       : strcmp(run->status, "running") == 0 ? COLOUR_line
	       : run_ended(run)                      ? COLOUR_bad
						     : COLOUR_warn;
}

/* "failed with exit status 3 after 2 min 3 s" */
static void describe_end(const struct show_view *view, char *text, size_t size)
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
		length +=
			(size_t)snprintf(text + length, size - length, " %s %s", word, terminal_duration(seconds).text);
	size_t living = view->summary->totals.living;
	if (living > 0 && length < size)
		snprintf(text + length, size - length, "; %s process%s on", terminal_count((double)living).text,
			living > 1 ? "es go" : " goes");
}

void show_end(const struct show_view *view, unsigned width)
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

void show_heading(const struct show_view *view)
{
	const struct terminal *terminal = &view->terminal;
	char *command = run_command_line(view->run);
	char place[400];
	bool started = number_known(view->run->start_time);

	show_end(view, terminal->width);
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
