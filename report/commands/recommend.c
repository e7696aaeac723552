/* SPDX-License-Identifier: Apache-2.0 */
/* rtrack-report recommend: prints the request and its basis.
 *
 * With --for, stdout has only the lines to paste, and the notes go to stderr. */
#include "report/commands/commands.h"

#include "report/advice/dialects.h"
#include "report/say/message.h"
#include "report/say/terminal.h"
#include "report/commands/advice.h"

#include <stdlib.h>

enum { LABEL_WIDTH = 8 };

static int print_lines(const struct recommendation *recommendation, const char *word)
{
	char *lines = dialect_lines(&recommendation->resources, (enum dialect)dialect_find(word));

	fputs(lines, stdout);
	free(lines);
	for (size_t i = 0; i < recommendation->note_count; i++)
		message_print("note: %s", recommendation->notes[i]);
	return EXIT_DONE;
}

static void write_heading(const struct terminal *terminal, const struct recommendation *recommendation, const char *job)
{
	const char *unit = recommend_unit(recommendation);
	char basis[80];

	snprintf(basis, sizeof basis, " (%zu %s%s)", recommendation->runs, unit, recommendation->runs == 1 ? "" : "s");
	fputs("Request for ", terminal->out);
	unsigned used =
		terminal_text_in(terminal, COLOUR_strong, job, terminal->width > 40 ? terminal->width - 26 : 16, 0);
	terminal_put(terminal, COLOUR_dim, "%s%s\n\n", used > 0 ? "" : "?", basis);
}

static void write_line(const struct terminal *terminal, const char *label, struct figure figure, const char *rest)
{
	fprintf(terminal->out, "%-*s", LABEL_WIDTH, label);
	terminal_text(terminal, figure.text, terminal->width, 0);
	fprintf(terminal->out, "%s\n", rest);
}

static void write_server(const struct terminal *terminal, const struct server *server)
{
	char text[600];

	snprintf(text, sizeof text, "%s (%s%s%s%s%s), %s%s%s vCPUs, %s", *server->name ? server->name : server->id,
		server->vendor, *server->vendor ? " " : "", server->id, *server->region ? ", " : "", server->region,
		server->architecture, *server->architecture ? ", " : "", terminal_count(server->vcpus).text,
		terminal_figure(UNIT_mib, server->memory_mib).text);
	fprintf(terminal->out, "\n%-*s", LABEL_WIDTH, "Server");
	terminal_text_line(terminal, text, LABEL_WIDTH);
	write_line(terminal, "Price", units_money(server->price, server->currency), " an hour");
	if (number_known(server->spot_price))
		write_line(terminal, "  spot", units_money(server->spot_price, server->currency), " an hour");
}

static void write_cost(const struct terminal *terminal, const struct cost *cost)
{
	bool both = number_known(cost->current);
	char rest[40];

	if (both)
		write_line(terminal, "Cost", units_money(cost->current, cost->currency), " for this run where it ran");
	if (number_known(cost->run))
		write_line(terminal, both ? "" : "Cost", units_money(cost->run, cost->currency),
			both ? " there, if it takes as long" : " for a run as long as this one");
	if (cost->saving > 0) {
		snprintf(rest, sizeof rest, ", %.1f %%", cost->saving_percent);
		write_line(terminal, "Saving", units_money(cost->saving, cost->currency), rest);
	}
}

static int print_text(const struct recommendation *recommendation, const struct run *run)
{
	struct terminal terminal = terminal_of(stdout);
	char *lines = dialect_lines(&recommendation->resources, DIALECT_text);

	terminal_replace(&terminal, lines);
	write_heading(&terminal, recommendation, run->job);
	fputs(lines, stdout);
	free(lines);
	for (size_t i = 0; i < BASIS_COUNT; i++) {
		if (!*recommendation->basis[i])
			continue;
		fputs(i == 0 ? "\n" : "", stdout);
		terminal_wrap(&terminal, recommendation->basis[i], 0, 0);
	}
	if (recommendation->has_server)
		write_server(&terminal, &recommendation->server);
	if (recommendation->has_cost)
		write_cost(&terminal, &recommendation->cost);
	if (recommendation->note_count > 0)
		fputc('\n', stdout);
	for (size_t i = 0; i < recommendation->note_count; i++) {
		fputs("- ", stdout);
		terminal_wrap(&terminal, recommendation->notes[i], 2, 2);
	}
	return EXIT_DONE;
}

struct model_wish recommend_command_wish(const struct options *options)
{
	(void)options;
	return recommend_wish();
}

int recommend_model(const struct options *options, const struct model *model)
{
	struct recommendation recommendation;

	if (model_check(model) != 0 || advice_make(&recommendation, options, model) != 0)
		return EXIT_NO_DATA;
	if (options->json)
		return json_print(recommend_json(&recommendation));
	return advice_tool(options) ? print_lines(&recommendation, advice_tool(options))
				    : print_text(&recommendation, model->run);
}
