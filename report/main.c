/* SPDX-License-Identifier: Apache-2.0 */
/* rtrack-report: shows what the runs in a spool have used.
 *
 *   main                            reads the options and calls the command
 *     runs_select                   spool/runs: selects a run; spool/run: opens its run.json
 *     facts_add                     services/facts: adds facts that run.json lacks, from machine and cloud
 *     model_command                 commands/groups: show, stats, html, recommend; one file each, which prints
 *       model_read                  model/model: computes all figures of a run, once; const afterwards
 *         series_load               spool/series: a table by columns, through spool/reader and spool/lines
 *         processes_load            spool/processes: its processes
 *         inner_add                 spool/inner: the processes of the runs inside it
 *         totals_make               model/totals: the totals of the run
 *         shortage_find, kills_find model/shortage, kills, postmortem: whether memory was lacking, and why
 *         bill_by_command           model/bill: usage by program, and by process
 *         phases_find, parts_make   model/phases, parts: usage over time
 *         stats_make                model/stats: the predecessor's statistics
 *       history_read                history/history: earlier runs, from the digests of history/digest
 *       inner_jobs_read             history/inner_jobs_read: the tasks of a pipeline by job, from digests
 *       advice_make                 commands/advice: the next request, according to the options
 *         allowance_make            advice/allowance: by advice/rule, from history/uses; or advice/classic
 *         prices_find               advice/prices: the cheapest server, through services/http and cache
 *       page_write                  page/run_page: the page, one file per section
 *     group_command                 commands/groups: the same commands for several runs as one
 *       group_read                  model/group: the runs of one job on several nodes
 *       whole_make                  model/group_whole: their common model
 *     compare_command               commands/compare: comparison_make, compare/compare: what changed between two models
 *     export_command                commands/export: fleet/snapshot, rows_out and metrics: files for other programs
 *     doctor_command                services/health: checks of this machine; os/health: facts that the system reports
 *     recommend_all_command, waste_command  commands/: options_list_jobs, commands/many: all jobs of a spool at once
 *     html_all_command              commands/html_all: site_read, page/site: all runs by job, as pages
 *     sql_command                   commands/sql: views_write, fleet/views: many runs for an engine, as SQL
 *     export_parquet_command        commands/export_parquet: many runs as Parquet, by fleet/views and store
 *     ship_run, ship_all            fleet/ship: sends runs to a target, except rows that fleet/sent_log has
 *     notes_sweep                   spool/notes: removes links to ended runs
 *
 * The folder say/ formats figures as text (terminal, units, json) and writes to stderr (message, progress). A folder
 * includes only folders below it: scripts/lint-arrows has the table, docs/design.md the drawing.
 *
 * A run or file that cannot be read causes a line on stderr, and everything else is still shown. */
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

/* Returns which cloud services may be queried about this machine. The options that permit queries of prices also permit
 * these queries. */
static enum cloud_asking asking_of(const struct options *options)
{
	bool online = !options_given(options, OPTION_offline) &&
		      (options_given(options, OPTION_prices) ||
			      (options->command == COMMAND_recommend && !options_given(options, OPTION_catalog)));
	return online ? CLOUD_ASK_NAMED : CLOUD_ASK_NONE;
}

/* Returns whether the text may name a job that has no run yet: it is neither a path nor the beginning of a run's id. */
static bool may_begin(const char *text)
{
	return text && *text && !strchr(text, '/') && text[strspn(text, "0123456789TZ")] != '\0' &&
	       !(strlen(text) > RUNS_STAMP_LENGTH && text[RUNS_STAMP_LENGTH - 1] == 'Z');
}

/* Finds the run for `watch` on a terminal if no RUN is given. Opens the latest run if it is running, otherwise waits
 * for the next run. The user can therefore start `watch` before the job. */
static int await_run(struct run *run, const struct spools *spools, const char *labels)
{
	enum { PAUSE_NS = 200000000 };
	double now = (double)os_now_ns() / 1e9;

	for (bool told = false;; told = true) {
		message_quiet(told);
		int result = runs_select(run, spools, labels, NULL, NULL);
		message_quiet(false);
		if (result == 0 && (strcmp(run->status, "running") == 0 || run->start_time >= now))
			return 0;
		if (result == 0)
			run_close(run);
		if (!told)
			message_print("no run is running in '%s': waiting for the next one", spools->items[0]);
		os_sleep(PAUSE_NS);
	}
}

/* Opens the selected run. If a job has no run yet, `watch` waits for its first run. `watch --when` waits for a run that
 * is running, or that began and ended during the wait. Each search reads all runs of the spool, so the pause between
 * searches is 20 times the duration of a search. */
static int select_in(struct run *run, const struct options *options, const struct spools *spools)
{
	enum { LEAST_NS = 200000000, FACTOR = 20 };
	const char *const *words = options->command_given ? NULL : options_commands();
	const char *labels = options->labels;

	if (options->command == COMMAND_watch && !options->run && !options->json && terminal_of(stdout).live)
		return await_run(run, spools, labels);
	if (options->command != COMMAND_watch || !may_begin(options->run))
		return runs_select(run, spools, labels, options->run, words);
	double now = (double)os_now_ns() / 1e9;
	/* An ended run already meets the condition "ended". */
	bool waits = options_given(options, OPTION_when) && strcmp(options->lines, "ended") != 0;
	for (bool told = false;; told = true) {
		int64_t begin_ns = os_since_boot_ns();
		message_quiet(true);
		int result = runs_select(run, spools, labels, options->run, words);
		message_quiet(false);
		bool over = result == 0 && waits && strcmp(run->status, "running") != 0 && run->start_time < now;
		if (result == 0 && !over)
			return 0;
		if (over)
			run_close(run);
		if (!told)
			message_print("no run '%s' in '%s'%s: waiting for it", options->run, spools->items[0],
				over ? " is running" : " yet");
		int64_t pause_ns = (os_since_boot_ns() - begin_ns) * FACTOR;
		os_sleep(pause_ns > LEAST_NS ? pause_ns : LEAST_NS);
	}
}

static int select_run(struct run *run, const struct options *options, const char *spool)
{
	struct spools spools;

	spools_find(&spools, options->spools, options->spool_count, spool);
	int result = select_in(run, options, &spools);
	spools_free(&spools);
	return result;
}

static int run_command(const struct options *options, const char *spool)
{
	static int (*const of_spool[COMMAND_COUNT])(const struct options *, const char *spool) = {
		[COMMAND_list] = list_command,
		[COMMAND_discover] = discover_command,
		[COMMAND_doctor] = doctor_command,
		[COMMAND_sql] = sql_command,
		[COMMAND_compare] = compare_command,
		[COMMAND_import] = import_command,
		[COMMAND_waste] = waste_command,
		[COMMAND_prune] = prune_command,
	};
	static int (*const of_run[COMMAND_COUNT])(const struct options *, const struct run *) = {
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
	if (of_spool[options->command])
		return of_spool[options->command](options, spool);
	if (options->command == COMMAND_export && options_is(options, OPTION_to, "parquet"))
		return export_parquet_command(options, spool);
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
	if (options_given(options, OPTION_group))
		return group_command(options, spool);
	if (select_run(&run, options, spool) != 0)
		return EXIT_NO_DATA;
	if (run.problem)
		message_print("'%s/%s' cannot be read: %s", run.directory, SPOOL_RUN_FILE, run.problem);
	facts_add(&run, asking_of(options));
	int status = of_run[options->command](options, &run);
	run_close(&run);
	return status;
}

/* Progress is not shown if output goes to a terminal before all input is read. */
static bool shows_progress(const struct options *options)
{
	return options->command != COMMAND_watch && !(options->command == COMMAND_export && isatty(STDOUT_FILENO) == 1);
}

/* Flushes stdout, because a full disk or a closed pipe may be reported only then. An earlier failure has lost its
 * errno, but writing one more byte fails for the same reason. Returns the errno, or 0. */
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
	/* Set only the character set: numbers keep '.' as the decimal point. */
	(void)setlocale(LC_CTYPE, "");
	/* With SIGXFSZ ignored, exceeding the file size limit is reported like a full disk, as os/file.h requires. */
	(void)signal(SIGXFSZ, SIG_IGN);
	(void)os_learn_time();
	if (options_read(&options, count, arguments) != 0)
		return EXIT_USAGE;
	if (options_given(&options, OPTION_utc))
		terminal_use_utc();
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
	/* recommend --history needs no run, so the spool is not read. */
	if (options_given(&options, OPTION_history) && !options_given(&options, OPTION_all))
		return finish_output(recommend_history_command(&options));
	char *spool = runs_spool(options.text[OPTION_spool]);
	int status = run_command(&options, spool);
	runs_say_all_unread();
	free(spool);
	notes_sweep();
	return finish_output(status);
}
