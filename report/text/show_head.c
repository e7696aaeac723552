/* How a run ended, in a line; see show_head.h. */
#define _GNU_SOURCE
#include "report/text/show_head.h"

#include "report/model/outcome.h"

#include <stdlib.h>
#include <string.h>

enum { JOB_LEAST = 12 };

static enum colour colour_of(enum outcome outcome)
{
	return outcome == OUTCOME_FINISHED                                    ? COLOUR_good
	       : outcome == OUTCOME_RUNNING                                   ? COLOUR_line
	       : outcome == OUTCOME_UNKNOWN || outcome == OUTCOME_INTERRUPTED ? COLOUR_warn
									      : COLOUR_bad;
}

/* "failed with exit status 3 after 2 min 3 s" */
static void describe_end(const struct show_view *view, char *text, size_t size)
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
			seconds, totals->wall_seconds, totals->still_running, text + length, size - length);
}

void show_end(const struct show_view *view, unsigned width)
{
	char end[400];
	describe_end(view, end, sizeof end);
	unsigned needed = (unsigned)strlen(end) + 1;
	unsigned job = width > needed + JOB_LEAST ? width - needed : JOB_LEAST;

	terminal_colour(&view->terminal, COLOUR_strong);
	unsigned used = terminal_text(&view->terminal, view->run->job, job, 0) + (*view->run->ends ? 2 : 1);
	terminal_colour(&view->terminal, COLOUR_plain);
	fputs(*view->run->ends ? ": " : " ", view->terminal.out);
	terminal_colour(&view->terminal, colour_of(view->model->outcome));
	/* It may be longer than a line for a group. */
	unsigned columns = terminal_columns(&view->terminal, end);
	if (view->terminal.whole || used + columns <= width) {
		terminal_text(&view->terminal, end, columns, 0);
		fputc('\n', view->terminal.out);
	} else {
		terminal_wrap(&view->terminal, end, used + view->terminal.width - width, 2);
	}
	terminal_colour(&view->terminal, COLOUR_plain);
}

/* Where it ran, and the labels behind that as far as there is room. */
static void write_place(const struct terminal *terminal, const char *place, const struct run *run)
{
	char *labels = run_labels_line(run);
	char *line = NULL;

	if (labels && *labels && asprintf(&line, "%s%s%s", place, *place ? "; " : "", labels) < 0)
		line = NULL;
	terminal_text(terminal, line ? line : place, terminal->width, 0);
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
	if (command && *command && strcmp(command, view->run->job) != 0) {
		terminal_text(terminal, command, terminal->width, 0);
		fputc('\n', terminal->out);
	}
	free(command);
	if (*failure_describe(view->model->failed, &view->model->parts, failure))
		terminal_wrap(terminal, failure, 0, 2);
	double after = json_double(cJSON_GetObjectItemCaseSensitive(view->run->json, "tracker"), "attached_after");
	snprintf(place, sizeof place, "%s%s%s%s%s",
		!started              ? ""
		: number_known(after) ? "followed from "
				      : "started ",
		started ? units_time(view->run->start_time, false).text : "", started && *view->run->host ? " " : "",
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
