/* SPDX-License-Identifier: Apache-2.0 */
/* How a run failed: the out-of-memory report, and the last lines of its output. */
#include "report/text/show.h"

#include "core/number.h"
#include "report/model/label.h"
#include "report/model/output.h"

#include <stdarg.h>
#include <string.h>

enum { DEATH_WIDTH = 12 };

__attribute__((format(printf, 4, 5))) static void write_death_line(
	const struct terminal *terminal, enum colour colour, const char *label, const char *format, ...)
{
	char text[CODE_DESCRIBED_SIZE];
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(text, sizeof text, format, arguments);
	va_end(arguments);
	terminal_put(terminal, COLOUR_dim, "%-*s", DEATH_WIDTH, label);
	terminal_colour(terminal, colour);
	terminal_wrap(terminal, text, DEATH_WIDTH, DEATH_WIDTH);
	terminal_colour(terminal, COLOUR_plain);
}

/* Formats the growth of a process: ", +40 MiB/s in the last 1.5 s". */
static void describe_growth(const struct postmortem_holder *holder, char *text, size_t size)
{
	*text = '\0';
	if (!number_known(holder->grown_mib) || !(holder->seconds > 0))
		return;
	double rate = holder->grown_mib / holder->seconds;
	snprintf(text, size, ", %s%s/s in the last %s", rate < 0 ? "-" : "+",
		terminal_figure(UNIT_mib, rate < 0 ? -rate : rate).text, terminal_duration(holder->seconds).text);
}

static void write_victim(const struct terminal *terminal, const struct postmortem *postmortem)
{
	const struct process *victim = postmortem->victim;

	if (victim && number_known(postmortem->used_mib))
		write_death_line(terminal, COLOUR_plain, "  failed", "%s (process %d), with %s of that in use, at %s",
			process_label(victim).text, victim->id.pid,
			terminal_figure(UNIT_mib, postmortem->used_mib).text, terminal_time(postmortem->time).text);
	else if (!victim && postmortem->counted)
		write_death_line(terminal, COLOUR_plain, "  killed", "an unknown process");
	else if (victim)
		write_death_line(terminal, COLOUR_plain, "  killed", "%s (process %d), at %s",
			process_label(victim).text, victim->id.pid, terminal_time(postmortem->time).text);
}

void show_postmortem(const struct terminal *terminal, const struct postmortem *postmortem,
	const struct code_moment *lines, double start_time, double ask_mib)
{
	char when[100] = "", line[200], growth[120], grown[CODE_DESCRIBED_SIZE];

	if (!postmortem->found)
		return;
	if (number_known(postmortem->time) && number_known(start_time))
		snprintf(when, sizeof when, " after %s", terminal_duration(postmortem->time - start_time).text);
	snprintf(line, sizeof line, "Out of memory%s: %s, %s", when,
		terminal_figure(UNIT_mib, postmortem->limit_mib).text, postmortem_limit_words(postmortem->limit));
	terminal_colour(terminal, COLOUR_bad);
	terminal_wrap(terminal, line, 0, 2);
	terminal_colour(terminal, COLOUR_plain);
	write_victim(terminal, postmortem);
	for (size_t i = 0; i < postmortem->count; i++) {
		const struct postmortem_holder *holder = &postmortem->holders[i];
		describe_growth(holder, growth, sizeof growth);
		write_death_line(terminal, COLOUR_plain, i == 0 ? "  in use" : "", "%s %s (process %d)%s",
			number_known(holder->held_mib) ? terminal_figure(UNIT_mib, holder->held_mib).text
						       : "an unknown amount",
			process_label(holder->process).text, holder->process->id.pid, growth);
	}
	code_describe(lines, "at the end", grown, sizeof grown);
	if (*grown)
		write_death_line(terminal, COLOUR_plain, "  code", "%s", grown);
	if (number_known(ask_mib))
		write_death_line(terminal, COLOUR_strong, "  request", "%s", terminal_figure(UNIT_mib, ask_mib).text);
	fputc('\n', terminal->out);
}

void show_postmortem_brief(
	const struct show_view *view, const struct postmortem *postmortem, const struct code_moment *lines)
{
	const struct postmortem_holder *largest = postmortem->count > 0 ? &postmortem->holders[0] : NULL;
	char growth[120] = "", text[CODE_DESCRIBED_SIZE];

	snprintf(text, sizeof text, "%s, %s", terminal_figure(UNIT_mib, postmortem->limit_mib).text,
		postmortem_limit_words(postmortem->limit));
	show_text(view, "Limit", text);
	if (largest) {
		describe_growth(largest, growth, sizeof growth);
		snprintf(text, sizeof text, "%s had %s%s (process %d)", process_label(largest->process).text,
			terminal_figure(UNIT_mib, largest->held_mib).text, growth, largest->process->id.pid);
		show_text(view, "Largest", text);
	}
	code_describe(lines, "at the end", text, sizeof text);
	if (*text)
		show_text(view, "Code", text);
}

void show_output(const struct show_view *view)
{
	const struct terminal *terminal = &view->terminal;
	static struct output output;

	output = view->inner_jobs->failure.output;
	if (!output.stream && !view->model->group)
		output_find(&output, view->run);
	if (!output.stream)
		return;
	terminal_colour(terminal, COLOUR_dim);
	fprintf(terminal->out, "Last lines of %s: ", output.stream);
	terminal_text(terminal, output.path, terminal->width, 0);
	terminal_colour(terminal, COLOUR_plain);
	fputc('\n', terminal->out);
	for (char *line = output.text; *line;) {
		size_t length = strcspn(line, "\n");
		char *next = line + length + (line[length] == '\n');
		line[length] = '\0';
		fputs("  ", terminal->out);
		terminal_text_line(terminal, line, 2);
		line = next;
	}
	fputc('\n', terminal->out);
}
