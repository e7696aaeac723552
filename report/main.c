/* SPDX-License-Identifier: Apache-2.0 */
/* rtrack-report: what the runs in a spool have used.
 *
 *   main                            reads the options and calls the command
 *     runs_select                   spool/runs: which run is meant; spool/run: its run.json
 *     facts_add                     services/facts: facts of this machine that run.json lacks, from machine and cloud
 *     model_command                 commands/groups: show, stats, html, recommend; one file each, they alone print
 *       model_read                  model/model: all figures of a run, once; const from then on
 *         series_load               spool/series: a table by columns, through spool/reader and spool/lines
 *         processes_load            spool/processes: its processes
 *         totals_make               model/totals: what all of it used
 *         shortage_find, kills_find model/shortage, kills, postmortem: how it ended, and for lack of memory
 *         bill_by_command           model/bill: usage by program, and by process
 *         phases_find, parts_make   model/phases, parts: what happened when
 *         stats_make                model/stats: the predecessor's statistics
 *       history_read                history/history: the runs before it, from what history/digest keeps of each
 *       advice_make                 commands/advice: the next request as the options want it
 *         allowance_make            advice/allowance: by advice/rule, out of history/uses; advice/classic is the other
 *         prices_find               advice/prices: the cheapest server, asked for through services/http and cache
 *       page_write                  page/run_page: the page, a section a file
 *     group_command                 commands/groups: the same of many runs as one
 *       group_read                  model/group: the runs of one job on several nodes, from the models of each
 *       whole_make                  model/group_whole: their model
 *     compare_command               commands/compare: comparison_make, compare/compare: what changed between two models
 *     export_command                commands/export: fleet/snapshot, rows_out and metrics: what other programs read
 *     doctor_command                services/health: what works on this machine, and os/health for what the system says
 *     recommend_all_command, waste_command  commands/: options_list_jobs, commands/many: all jobs of a spool at once
 *     html_all_command              commands/html_all: site_read, page/site: all runs by their jobs, as pages
 *     sql_command                   commands/sql: views_write, fleet/views: many runs for an engine, as SQL
 *     export_parquet_command        commands/export_parquet: the same written by an engine, fleet/parquet and store
 *     ship_run, ship_all            fleet/ship: sends runs to a target, and leaves out what fleet/sent_log has
 *     notes_sweep                   spool/notes: removes what is left of runs that ended unseen
 *
 * Figures become text in say/: terminal, units, json, and message and progress for stderr. A room includes what is
 * below it and nothing above: the table is in scripts/lint-arrows, the drawing in docs/design.md.
 *
 * A run or a file that cannot be read is a line on stderr, and whatever else is readable is still shown. */
#include "os/clock.h"
#include "report/commands/commands.h"

#include "report/say/alloc.h"
#include "report/say/message.h"
#include "report/say/progress.h"
#include "report/say/terminal.h"
#include "report/services/facts.h"
#include "report/services/health.h"
#include "report/services/http.h"
#include "report/spool/runs.h"
#include "report/spool/notes.h"

#include <cjson/cJSON.h>
#include <errno.h>
#include <locale.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

static const double PROGRESS_AFTER = 1; /* seconds */

/* The services that may be asked about this machine: they may be asked whenever prices may be. */
static enum cloud_asking asking_of(const struct options *options)
{
	bool online = options_given(options, OPTION_prices) ||
		      (options->command == COMMAND_recommend && !options_given(options, OPTION_offline) &&
			      !options_given(options, OPTION_catalog));
	return online ? CLOUD_ASK_NAMED : CLOUD_ASK_NONE;
}

/* Whether the text may name a job that has not begun: it is no path, and no beginning of an id. */
static bool may_begin(const char *text)
{
	return text && *text && !strchr(text, '/') && text[strspn(text, "0123456789TZ")] != '\0' &&
	       !(strlen(text) > RUNS_STAMP_LENGTH && text[RUNS_STAMP_LENGTH - 1] == 'Z');
}

/* For `watch` on a terminal without a RUN: opens the latest run if it goes on, else waits for the next one. Where
 * watching begins before the job, that job is meant. */
static int await_run(struct run *run, const char *spool)
{
	enum { PAUSE_NS = 200000000 };
	double now = (double)os_now_ns() / 1e9;

	for (bool told = false;; told = true) {
		message_quiet(told);
		int result = runs_select(run, spool, NULL, NULL);
		message_quiet(false);
		if (result == 0 && (strcmp(run->status, "running") == 0 || run->start_time >= now))
			return 0;
		if (result == 0)
			run_close(run);
		if (!told)
			message_print("no run is running in '%s': waiting for the next one", spool);
		os_sleep(PAUSE_NS);
	}
}

/* Opens the run that is meant; of a job that has no run yet, `watch` waits for the first, and `watch --when` for one
 * that goes on, or has begun and ended since. To look for it is to read every run of the spool: the pause is 20 times
 * as long as that took. */
static int select_run(struct run *run, const struct options *options, const char *spool)
{
	enum { LEAST_NS = 200000000, FACTOR = 20 };
	const char *const *words = options->command_given ? NULL : options_commands();

	if (options->command == COMMAND_watch && !options->run && !options->json && terminal_of(stdout).live)
		return await_run(run, spool);
	if (options->command != COMMAND_watch || !may_begin(options->run))
		return runs_select(run, spool, options->run, words);
	double now = (double)os_now_ns() / 1e9;
	for (bool told = false;; told = true) {
		int64_t begin_ns = os_since_boot_ns();
		message_quiet(true);
		int result = runs_select(run, spool, options->run, words);
		message_quiet(false);
		bool over = result == 0 && options_given(options, OPTION_when) && strcmp(run->status, "running") != 0 &&
			    run->start_time < now;
		if (result == 0 && !over)
			return 0;
		if (over)
			run_close(run);
		if (!told)
			message_print("no run '%s' in '%s'%s: waiting for it", options->run, spool,
				over ? " is running" : " yet");
		int64_t pause_ns = (os_since_boot_ns() - begin_ns) * FACTOR;
		os_sleep(pause_ns > LEAST_NS ? pause_ns : LEAST_NS);
	}
}

static int run_command(const struct options *options, const char *spool)
{
	static int (*const commands[COMMAND_COUNT])(const struct options *, const struct run *) = {
		[COMMAND_show] = model_command,
		[COMMAND_stats] = model_command,
		[COMMAND_recommend] = model_command,
		[COMMAND_html] = model_command,
		[COMMAND_watch] = watch_command,
		[COMMAND_export] = export_command,
		[COMMAND_ship] = ship_command,
	};
	struct run run;

	if (options->command == COMMAND_list && options_given(options, OPTION_trend))
		return list_trend_command(options, spool);
	if (options->command == COMMAND_list)
		return list_command(options, spool);
	if (options->command == COMMAND_discover)
		return discover_command(options, spool);
	if (options->command == COMMAND_doctor)
		return doctor_command(options, spool);
	if (options->command == COMMAND_export && options_given(options, OPTION_to) &&
		strcmp(options->text[OPTION_to], "parquet") == 0)
		return export_parquet_command(options, spool);
	if (options->command == COMMAND_sql)
		return sql_command(options, spool);
	if (options->command == COMMAND_compare)
		return compare_command(options, spool);
	if (options->command == COMMAND_import)
		return import_command(options, spool);
	if (options->command == COMMAND_export && options_given(options, OPTION_all))
		return export_jobs_command(options, spool);
	if (options->command == COMMAND_ship &&
		(options_given(options, OPTION_all) || options_given(options, OPTION_group) ||
			options_choose_runs(options)))
		return ship_all_command(options, spool);
	if (options->command == COMMAND_html &&
		(options_given(options, OPTION_all) || options_given(options, OPTION_job)))
		return html_all_command(options, spool);
	if (options_given(options, OPTION_all))
		return recommend_all_command(options, spool);
	if (options->command == COMMAND_waste)
		return waste_command(options, spool);
	if (options->command == COMMAND_prune)
		return prune_command(options, spool);
	if (options_given(options, OPTION_group))
		return group_command(options, spool);
	if (select_run(&run, options, spool) != 0)
		return EXIT_NO_DATA;
	if (run.problem)
		message_print("'%s/%s' cannot be read: %s", run.directory, SPOOL_RUN_FILE, run.problem);
	facts_add(&run, asking_of(options));
	int status = commands[options->command](options, &run);
	run_close(&run);
	return status;
}

/* No progress where the output goes to a terminal while the input is still read. */
static bool shows_progress(const struct options *options)
{
	return options->command != COMMAND_watch && !(options->command == COMMAND_export && isatty(STDOUT_FILENO) == 1);
}

/* Flushes stdout: a full disk or a closed pipe may show only then. Of what failed before that errno tells no more, but
 * one byte more fails for the same reason. Returns why, or 0. */
static int flush_output(void)
{
	if (fflush(stdout) != 0)
		return errno;
	if (!ferror(stdout))
		return 0;
	return write(STDOUT_FILENO, "\n", 1) < 0 ? errno : EIO;
}

static int finish_output(int status)
{
	int error = flush_output();

	if (error == 0)
		return status;
	if (error != EPIPE)
		message_print("stdout cannot be written: %s", strerror(error));
	return status == EXIT_DONE ? EXIT_NO_DATA : status;
}

int main(int count, char **arguments)
{
	struct options options;

	alloc_begin();
	/* The character set only: the decimal point of numbers stays a '.'. */
	(void)setlocale(LC_CTYPE, "");
	/* What is too large for a limit is told as a full disk is, and os/file.h wants it so. */
	(void)signal(SIGXFSZ, SIG_IGN);
	(void)os_learn_time();
	if (options_read(&options, count, arguments) != 0)
		return EXIT_USAGE;
	if (options_given(&options, OPTION_help)) {
		options_print_help(stdout, &options);
		return finish_output(EXIT_DONE);
	}
	if (options_given(&options, OPTION_version)) {
		const char *library = http_library();
		printf("rtrack-report " RTRACK_VERSION "\n%s\ncJSON %s, zlib %s, %s\n", health_build(), cJSON_Version(),
			zlibVersion(), library ? library : "no libcurl");
		return finish_output(EXIT_DONE);
	}
	if (shows_progress(&options))
		progress_allow(stderr, PROGRESS_AFTER);
	/* --history concerns no run, so no spool is looked at. */
	if (options_given(&options, OPTION_history) && !options_given(&options, OPTION_all))
		return finish_output(recommend_history_command(&options));
	char *spool = runs_spool(options.text[OPTION_spool]);
	int status = run_command(&options, spool);
	runs_say_all_unread();
	free(spool);
	notes_sweep();
	return finish_output(status);
}
