/* rtrack-report: what the runs in a spool have used.
 *
 *   options                        the command line
 *   message, progress              what goes to stderr
 *   runs, run                      the spool and one run
 *   lines, reader, series          the tables
 *   processes, programs, bill      who used it
 *   totals, stats, history, past   the figures
 *   phases, segments, marks        what happened when
 *   resources, recommend, dialects the next request
 *   split                          a job for each phase
 *   digest                         what is kept of a run, for lists and histories
 *   summary                        what all commands read
 *   advice                         the next request, with a server and its price
 *   prices, prices_choose, catalog the cheapest server
 *   http, cache                    what is asked of the network, and kept
 *   machine, nvml, allocation      what this machine is, and whether a run had it for itself
 *   removal, notes                 how a run is removed, and what is left of one whose end nobody saw
 *   facts                          what is added to a run of this machine
 *   cloud, cloud_document          which cloud it is in
 *   terminal, html_units, utf8     how text and figures are shown
 *   screen, watch_frame            a terminal that is written anew, and what watch writes
 *   json, known                    values that may be missing
 *   condition, compare, compare_side  what changed between runs, and whether that is too much
 *   rows_out, snapshot, snapshot_read  what other programs write and read
 *   show, list, watch, stats_command, recommend_command, html…   the commands
 *
 * Only the commands print on stdout; a run or a file that cannot be read is a line on stderr, and whatever
 * else is readable is still shown. */
#include "report/commands.h"

#include "report/facts.h"
#include "report/message.h"
#include "report/notes.h"
#include "report/progress.h"
#include "report/runs.h"

#include <errno.h>
#include <locale.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const double PROGRESS_AFTER = 1; /* seconds */

/* Who may be asked about this machine: whoever may be asked for prices. */
static enum cloud_asking asking_of(const struct options *options)
{
	bool online = options_given(options, OPTION_prices) ||
		      (options->command == COMMAND_recommend && !options_given(options, OPTION_offline) &&
			      !options_given(options, OPTION_catalog));
	return online ? CLOUD_ASK_NAMED : CLOUD_ASK_NONE;
}

static int run_command(const struct options *options, const char *spool)
{
	static int (*const commands[COMMAND_COUNT])(const struct options *, const struct run *) = {
		[COMMAND_show] = show_command,
		[COMMAND_stats] = stats_command,
		[COMMAND_recommend] = recommend_command,
		[COMMAND_html] = html_command,
		[COMMAND_watch] = watch_command,
		[COMMAND_export] = export_command,
	};
	struct run run;

	if (options->command == COMMAND_list)
		return list_command(options, spool);
	if (options->command == COMMAND_discover)
		return discover_command(options, spool);
	if (options->command == COMMAND_compare)
		return compare_command(options, spool);
	if (options->command == COMMAND_import)
		return import_command(options, spool);
	if (options->command == COMMAND_prune)
		return prune_command(options, spool);
	if (runs_select(&run, spool, options->run) != 0)
		return EXIT_NO_DATA;
	if (run.problem)
		message_print("cannot read '%s/%s': %s", run.directory, SPOOL_RUN_FILE, run.problem);
	facts_add(&run, asking_of(options));
	int status = commands[options->command](options, &run);
	run_close(&run);
	return status;
}

/* Not where the output is written to a terminal while the input is read. */
static bool shows_progress(const struct options *options)
{
	return options->command != COMMAND_watch && !(options->command == COMMAND_export && isatty(STDOUT_FILENO) == 1);
}

/* A full disk or a closed pipe may show only now. */
static int finish_output(int status)
{
	if (fflush(stdout) == 0 && !ferror(stdout))
		return status;
	if (errno != EPIPE)
		message_print("cannot write: %s", strerror(errno));
	return status == EXIT_DONE ? EXIT_NO_DATA : status;
}

int main(int count, char **arguments)
{
	struct options options;

	/* Character set only: numbers keep their point. */
	(void)setlocale(LC_CTYPE, "");
	if (options_read(&options, count, arguments) != 0)
		return EXIT_USAGE;
	if (options_given(&options, OPTION_help)) {
		options_print_help(stdout, &options);
		return finish_output(EXIT_DONE);
	}
	if (options_given(&options, OPTION_version)) {
		puts("rtrack-report " RTRACK_VERSION);
		return finish_output(EXIT_DONE);
	}
	if (shows_progress(&options))
		progress_allow(stderr, PROGRESS_AFTER);
	char *spool = runs_spool(options.text[OPTION_spool]);
	if (!spool) {
		message_print("no memory");
		return EXIT_NO_DATA;
	}
	int status = run_command(&options, spool);
	free(spool);
	notes_sweep();
	return finish_output(status);
}
