/* SPDX-License-Identifier: Apache-2.0 */
/* rtrack-report html --all: writes a site of all jobs and runs of some spools, which needs no server.
 *
 * DIR/assets has the style and the script of all pages. DIR/index.html and DIR/jobs are rewritten each time. Several
 * processes write the pages of ended runs in parallel. Each page takes some milliseconds and is written only once, so a
 * later call writes only the pages of new runs. DIR/.made names the version that made the pages; pages of another
 * version are rewritten. Each page is renamed into place when complete, so an interrupted call leaves no incomplete
 * page. */
#define _GNU_SOURCE
#include "report/advice/waste_price.h"
#include "report/spool/runs.h"
#include "report/commands/commands.h"
#include "report/commands/many.h"
#include "report/page/page_file.h"
#include "report/say/alloc.h"
#include "report/say/file.h"
#include "report/say/message.h"
#include "report/page/site.h"
#include "report/page/trend_page.h"
#include "report/page/run_page.h"
#include "report/commands/advice.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { WORKERS_MAX = 8, EARLIER = 99 };
static const char MADE[] = ".made", DIRECTORY[] = "rtrack-site";

struct making {
	const struct options *options;
	const struct site *site;
	const char *directory;
	bool anew; /* whether to write all pages again, because another version of rtrack wrote them */
};

/* -- files ----------------------------------------------------------------------------------------- */

/* Returns DIR/FOLDER/NAME.html, or DIR/NAME.html if `folder` is "". The caller must free it. */
static char *path_of(const struct making *making, const char *folder, const char *text)
{
	char name[TREND_NAME_SIZE];

	trend_file_name(name, text);
	return xasprintf("%s/%s%s.html", making->directory, folder, name);
}

/* Returns whether a directory belongs to the caller. If the path is a link, the link must also belong to the caller.
 * Otherwise another user could choose the directory to which the pages are written. Slashes at the end are removed,
 * because lstat(2) follows a link before a slash. */
static bool is_own(const char *path)
{
	struct stat link, directory;
	char *name = runs_copy_path(path);
	bool own = lstat(name, &link) == 0 && link.st_uid == geteuid() && stat(name, &directory) == 0 &&
		   directory.st_uid == geteuid();
	free(name);
	return own;
}

/* Makes the directory of the site and its subdirectories. */
static int make_directories(const char *directory)
{
	static const char *const folders[] = {"", "/jobs", "/runs", "/assets"};
	int status = EXIT_DONE;

	for (size_t i = 0; status == EXIT_DONE && i < ARRAY_LENGTH(folders); i++) {
		char *path = xasprintf("%s%s", directory, folders[i]);
		if (file_make_directory(path, 0777) != 0)
			status = message_cannot_write(path);
		if (status == EXIT_DONE && !is_own(path)) {
			message_print("'%s' cannot be used: it belongs to another user", path);
			status = EXIT_NO_DATA;
		}
		free(path);
	}
	return status;
}

/* Returns whether this version of rtrack wrote the pages in the directory. Such pages need not be written again. */
static bool is_of_this(const char *directory)
{
	enum { MADE_MAX = 64 };
	char *path = xasprintf("%s/%s", directory, MADE), *made = file_read(path, MADE_MAX, NULL);
	bool same = made && strcmp(made, RTRACK_VERSION "\n") == 0;

	free(made);
	free(path);
	return same;
}

static int write_version(FILE *out, const void *page)
{
	(void)page;
	fputs(RTRACK_VERSION "\n", out);
	return ferror(out) ? -1 : 0;
}

/* -- the pages of runs ----------------------------------------------------------------------------- */

/* Sets the data about the other runs of the job. */
static void fill_given(struct page_given *given, const struct site_job *job, size_t place, const char *link)
{
	const struct trend_links links = {.runs = "", .job = link};
	const struct digest *latest[HISTORY_RUNS];
	size_t size, count = site_history(latest, job, place, HISTORY_RUNS);
	FILE *out = xopen_memstream(&given->over_time, &size);

	history_of(&given->history, latest, count);
	site_earlier(&given->earlier, job, place, EARLIER);
	trend_write_section(out, &job->trend, job->trend.runs[place].id, &links);
	xclose_memstream(out);
}

static int write_run_to(const struct making *making, const struct site_job *job, size_t place, const char *path)
{
	const struct trend_run *of = &job->trend.runs[place];
	struct runs runs = {.spool = making->site->spools[of->spool]};
	char name[TREND_NAME_SIZE], link[TREND_NAME_SIZE + 16];
	struct page_given given = {.path = path, .site = making->site, .place = of};
	struct run run;

	trend_file_name(name, job->name);
	snprintf(link, sizeof link, "../jobs/%s.html", name);
	fill_given(&given, job, place, link);
	int status = EXIT_NO_DATA;
	if (runs_open(&run, &runs, of->name) == 0) {
		message_quiet(true); /* The page of a run shows the errors of the run, so messages are not printed. */
		status = html_page_of_site(making->options, &run, &given);
		message_quiet(false);
		run_close(&run);
	}
	history_free(&given.history);
	uses_free(&given.earlier);
	free(given.over_time);
	return status == EXIT_DONE ? status : page_file_replace(path, site_write_nothing, of->id);
}

static bool is_there(const char *path)
{
	struct stat status;
	return lstat(path, &status) == 0 && S_ISREG(status.st_mode) && status.st_size > 0;
}

/* Returns whether the figures of a run can no longer change. */
static bool is_settled(const struct trend_run *run)
{
	return run->over && strcmp(run->status, "interrupted") != 0 && strcmp(run->status, "unknown") != 0;
}

static int write_run(const struct making *making, const struct site_job *job, size_t place)
{
	const struct trend_run *run = &job->trend.runs[place];
	int status = EXIT_DONE;

	if (run->told)
		return EXIT_DONE;
	char *path = path_of(making, "runs/", run->page);
	if (making->anew || !is_settled(run) || !is_there(path))
		status = write_run_to(making, job, place, path);
	free(path);
	return status;
}

/* Writes the page of every `workers`th run, beginning with run number `first`. */
static int write_runs(const struct making *making, size_t first, size_t workers)
{
	size_t position = 0;

	for (size_t i = 0; i < making->site->count; i++)
		for (size_t j = 0; j < making->site->jobs[i].trend.count; j++)
			if (position++ % workers == first && write_run(making, &making->site->jobs[i], j) != EXIT_DONE)
				return EXIT_NO_DATA;
	return EXIT_DONE;
}

static int write_all_runs(const struct making *making)
{
	long processors = sysconf(_SC_NPROCESSORS_ONLN);
	size_t workers = processors < 1 ? 1 : processors < WORKERS_MAX ? (size_t)processors : WORKERS_MAX;
	pid_t children[WORKERS_MAX];
	int status = EXIT_DONE;

	fflush(stdout);
	for (size_t i = 1; i < workers; i++) {
		children[i] = fork();
		if (children[i] == 0)
			_exit(write_runs(making, i, workers));
	}
	status = write_runs(making, 0, workers);
	for (size_t i = 1; i < workers; i++) {
		int end = 0;
		if (children[i] < 0)
			end = write_runs(making, i, workers);
		else if (waitpid(children[i], &end, 0) != children[i])
			end = -1;
		if (end != 0)
			status = EXIT_NO_DATA;
	}
	return status;
}

/* -- the site -------------------------------------------------------------------------------------- */

/* Writes the assets. Assets of other versions are kept, because pages of these versions may remain. */
static int write_assets(const struct making *making)
{
	int status = EXIT_DONE;

	for (enum page_asset asset = 0; status == EXIT_DONE && asset < PAGE_ASSETS; asset++) {
		char *path = xasprintf("%s/assets/%s", making->directory, page_asset_name(asset));
		if (!is_there(path))
			status = page_file_replace(path, page_asset_write, &asset);
		free(path);
	}
	return status;
}

/* In a site of many runs, leaves out the pages of short, finished, typical runs. Otherwise, the pages of 5,000 runs of
 * 4 ms would take 692 MiB. */
static void leave_out_short(struct site *site)
{
	enum { MANY = 500 };
	static const double SHORT_SECONDS = 2;

	for (size_t i = 0; i < site->count && site->run_count > MANY; i++)
		for (size_t j = 0; j < site->jobs[i].trend.count; j++) {
			struct trend_run *run = &site->jobs[i].trend.runs[j];
			run->told = run->over && run->finished && !trend_stands_out(run) &&
				    run->figures[TREND_seconds] < SHORT_SECONDS;
		}
}

/* Sets the costs of the runs of each job whose price is known. Returns 0, or -1 after a message. */
static int add_costs(struct site *site, const struct options *options)
{
	struct price_question question = advice_prices(options);

	for (size_t i = 0; i < site->count; i++) {
		struct site_job *job = &site->jobs[i];
		char currency[8];
		double price;
		if (job->waste.runs == 0)
			continue;
		if (waste_price_hour(&price, currency, &job->waste, &question) != 0)
			return -1;
		if (!number_known(price))
			continue;
		trend_price(&job->trend, price, currency);
		trend_judge(&job->trend);
	}
	return 0;
}

static int write_jobs(const struct making *making)
{
	int status = EXIT_DONE;

	for (size_t i = 0; status == EXIT_DONE && i < making->site->count; i++) {
		char *path = path_of(making, "jobs/", making->site->jobs[i].name);
		status = page_file_replace(path, site_write_job, &making->site->jobs[i]);
		free(path);
	}
	return status;
}

/* Writes the site. The index is written last, so that all its links work. */
static int write_site(struct making *making, char **index)
{
	int status = make_directories(making->directory);

	if (status != EXIT_DONE)
		return status;
	making->anew = !is_of_this(making->directory);
	status = write_assets(making);
	if (status == EXIT_DONE)
		status = write_all_runs(making);
	if (status == EXIT_DONE)
		status = write_jobs(making);
	*index = path_of(making, "", "index");
	if (status == EXIT_DONE)
		status = page_file_replace(*index, site_write_index, making->site);
	if (status != EXIT_DONE)
		return status;
	char *made = xasprintf("%s/%s", making->directory, MADE);
	status = page_file_replace(made, write_version, NULL);
	free(made);
	return status;
}

static int tell(const struct options *options, const char *index)
{
	int status = EXIT_DONE;

	if (options->json)
		status = json_print_string("file", index);
	else
		printf("%s\n", index);
	return status == EXIT_DONE && options_given(options, OPTION_open) ? page_file_open(index) : status;
}

int html_all_command(const struct options *options, const char *spool)
{
	const char *output = options->text[OPTION_output];
	struct making making = {.options = options, .directory = output ? output : DIRECTORY};
	const struct choice choice = options_choice(options);
	char *index = NULL;
	struct spools spools;
	struct site site;

	spools_find(&spools, options->spools, options->spool_count, spool);
	if (site_read(&site, spools.items, spools.count, &choice) != 0) {
		spools_free(&spools);
		return EXIT_NO_DATA;
	}
	making.site = &site;
	leave_out_short(&site);
	int status = EXIT_NO_DATA;
	if (site.count == 0)
		/* A site without runs is not written. */
		(void)runs_say_none_listed(spools.items[0], site.run_count, NULL);
	else if (add_costs(&site, options) == 0)
		status = write_site(&making, &index);
	if (status == EXIT_DONE)
		status = tell(options, index);
	free(index);
	site_free(&site);
	spools_free(&spools);
	return status;
}
