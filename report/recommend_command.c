/* rtrack-report recommend: what to ask for the next time, and what that rests on.
 *
 * With --for only the lines to paste go to stdout; the notes, which must not be lost, then go to stderr. */
#include "report/commands.h"

#include "report/history.h"
#include "report/message.h"
#include "report/recommend.h"
#include "report/terminal.h"

#include <stdlib.h>
#include <string.h>

static int print_lines(const struct recommendation *recommendation, const char *word)
{
	int dialect = dialect_find(word);
	char *lines = dialect >= 0 ? recommend_lines(&recommendation->resources, (enum dialect)dialect) : NULL;

	if (!lines) {
		message_print("no memory");
		return EXIT_NO_DATA;
	}
	fputs(lines, stdout);
	free(lines);
	for (size_t i = 0; i < recommendation->note_count; i++)
		message_print("note: %s", recommendation->notes[i]);
	return EXIT_DONE;
}

static void write_heading(const struct terminal *terminal, const struct recommendation *recommendation, const char *job)
{
	char basis[80];

	snprintf(basis, sizeof basis, recommendation->runs == 1 ? "by one run" : "by %zu runs", recommendation->runs);
	terminal_colour(terminal, COLOUR_strong);
	unsigned used = terminal_text(terminal, job, terminal->width > 40 ? terminal->width - 24 : 16, 0);
	terminal_colour(terminal, COLOUR_plain);
	terminal_colour(terminal, COLOUR_dim);
	fprintf(terminal->out, "%s next time, %s\n\n", used > 0 ? "" : "?", basis);
	terminal_colour(terminal, COLOUR_plain);
}

/* As long lines as fit, broken between words; the second and further ones are indented. */
static void write_note(const struct terminal *terminal, const char *note)
{
	unsigned column = 2;

	fputs("- ", terminal->out);
	while (*note) {
		unsigned length = (unsigned)strcspn(note, " ");
		if (column > 2 && column + 1 + length > terminal->width) {
			fputs("\n  ", terminal->out);
			column = 2;
		}
		column += (unsigned)fprintf(terminal->out, "%s%.*s", column > 2 ? " " : "", (int)length, note);
		note += length;
		note += *note == ' ';
	}
	fputc('\n', terminal->out);
}

static int print_text(const struct recommendation *recommendation, const struct run *run)
{
	struct terminal terminal = terminal_of(stdout);
	char *lines = recommend_lines(&recommendation->resources, DIALECT_text);

	if (!lines) {
		message_print("no memory");
		return EXIT_NO_DATA;
	}
	write_heading(&terminal, recommendation, run->job);
	fputs(lines, stdout);
	free(lines);
	if (recommendation->note_count > 0)
		fputc('\n', stdout);
	for (size_t i = 0; i < recommendation->note_count; i++)
		write_note(&terminal, recommendation->notes[i]);
	return EXIT_DONE;
}

static int recommend(const struct options *options, const struct run *run, const struct summary *summary)
{
	struct recommendation recommendation;
	double runs = options->number[OPTION_runs];
	const char *dialect = options->text[OPTION_for];

	if (recommend_make(&recommendation, run, summary, number_known(runs) ? (size_t)runs : HISTORY_RUNS) != 0) {
		message_print("no memory");
		return EXIT_NO_DATA;
	}
	if (options->json)
		return summary_print_json(recommend_json(&recommendation));
	if (dialect && strcmp(dialect, "text") != 0)
		return print_lines(&recommendation, dialect);
	return print_text(&recommendation, run);
}

int recommend_command(const struct options *options, const struct run *run)
{
	struct summary summary;

	if (summary_read(&summary, run, recommend_columns(TABLE_process), recommend_columns(TABLE_system)) != 0)
		return EXIT_NO_DATA;
	int status = summary_exit_status(&summary, run);
	if (status == EXIT_DONE)
		status = recommend(options, run, &summary);
	summary_free(&summary);
	return status;
}
