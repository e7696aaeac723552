/* SPDX-License-Identifier: Apache-2.0 */
/* Reads all runs of one or more spools, grouped by job. */
#include "report/page/site.h"

#include "report/history/beside.h"
#include "report/model/nest.h"
#include "report/say/alloc.h"
#include "report/say/array.h"
#include "report/say/progress.h"
#include "report/spool/job_key.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static bool is_wanted(const void *context, const struct digest *digest)
{
	return !digest->problem && choice_wants(context, digest->job, digest->user, digest->start_time);
}

/* Returns the job of a digest, and adds the job if it is new. The search begins at the last job, because consecutive
 * runs often belong to the same job. */
static struct site_job *find_job(struct site *site, const struct digest *digest)
{
	for (size_t i = site->count; i > 0; i--)
		if (strcmp(site->jobs[i - 1].key, digest->key) == 0)
			return &site->jobs[i - 1];
	array_grow(&site->jobs, site->count, sizeof *site->jobs);
	site->jobs[site->count] = (struct site_job){.key = xstrdup(digest->key), .name = xstrdup(digest->job)};
	return &site->jobs[site->count++];
}

/* Adds a run to its job if its status is selected. Takes ownership of the digest. */
static void add_run(
	struct site *site, struct digest *digest, const char *name, size_t spool, const struct choice *choice)
{
	if (!digest_ended(digest, choice->status)) {
		digest_free(digest);
		return;
	}
	struct site_job *job = find_job(site, digest);

	array_grow(&job->items, job->count, sizeof *job->items);
	job->items[job->count++] = (struct site_item){.digest = *digest};
	/* A run's name is unique only within its spool. With several spools, the page's name includes the spool. */
	trend_add(&job->trend, digest, name, spool,
		site->several ? xasprintf("%s of %s", name, site->spools[spool]) : xstrdup(name));
	if (strcmp(digest->status, "running") != 0)
		job->failed += !use_finished(&digest->use);
}

static int read_spool(struct site *site, size_t spool, bool several, const struct choice *choice)
{
	struct progress progress;
	struct digest digest;
	struct runs runs;
	const char *name;

	if (runs_list(&runs, site->spools[spool]) != 0) {
		if (errno != ENOENT && several) {
			runs_count_unlisted(site->spools[spool], errno);
			return 0;
		}
		runs_say_unlisted(site->spools[spool], errno);
		return -1;
	}
	site->run_count += runs.count;
	progress_begin(&progress, "reading runs", (double)runs.count);
	while ((name = runs_next_name(&runs))) {
		if (choice_takes(choice, &runs, name) && digest_find(&digest, &runs, name, is_wanted, choice) > 0)
			add_run(site, &digest, name, spool, choice);
		progress_advance(&progress, 1);
	}
	progress_end(&progress);
	runs_free(&runs);
	return 0;
}

static double last_start(const struct site_job *job)
{
	return job->trend.count > 0 ? job->trend.runs[job->trend.count - 1].start_time : 0;
}

static int by_last(const void *a, const void *b)
{
	const struct site_job *x = a, *y = b;
	double first = last_start(x), second = last_start(y);
	return first != second ? (first < second ? 1 : -1) : strcmp(x->name, y->name);
}

/* -- nested runs ----------------------------------------------------------------------------------- */

/* Finds runs that are contained in other runs of the site. */
static void find_around(struct site *site)
{
	struct nest *nests = xcalloc(site->run_count, sizeof *nests);
	size_t count = 0;

	for (size_t i = 0; i < site->count; i++)
		for (size_t j = 0; j < site->jobs[i].trend.count; j++) {
			struct trend_run *run = &site->jobs[i].trend.runs[j];
			const struct digest *digest = &site->jobs[i].items[run->position].digest;
			nests[count++] = (struct nest){.id = digest->id,
				.identity = digest->identity,
				.parent = digest->parent,
				.start_time = run->start_time,
				.asked = number_known(run->figures[TREND_waste]),
				.run = run};
		}
	nest_find(nests, count);
	for (size_t i = 0; i < count; i++) {
		struct trend_run *run = nests[i].run;
		run->around = nests[i].around ? nests[i].around->run : NULL;
		run->asked_around = nests[i].asked_around;
	}
	free(nests);
}

const struct trend_run *site_inner_run(const struct site *site, const struct trend_run *outer, const char *id)
{
	for (size_t i = 0; site && i < site->count; i++)
		for (size_t j = 0; j < site->jobs[i].trend.count; j++) {
			const struct trend_run *run = &site->jobs[i].trend.runs[j];
			if (run->around == outer && strcmp(run->id, id) == 0)
				return run;
		}
	return NULL;
}

/* -- requested and used ---------------------------------------------------------------------------- */

/* Adds up what the runs of a job requested and used. */
static void add_waste(struct site_job *job)
{
	struct beside *runs = xcalloc(job->trend.count, sizeof *runs);
	size_t count = 0;

	for (size_t i = 0; i < job->trend.count; i++) {
		struct site_item *item = &job->items[job->trend.runs[i].position];
		const struct digest *digest = &item->digest;
		if (job->trend.runs[i].over)
			runs[count++] = (struct beside){digest->allocation, digest->host, digest->parent,
				digest->start_time, &digest->use, &item->waste};
	}
	beside_add_up(runs, count);
	for (size_t i = 0; i < count; i++)
		waste_join(&job->waste, runs[i].waste);
	free(runs);
}

/* -- all of it ------------------------------------------------------------------------------------- */

static bool are_several(char *const *spools, size_t count)
{
	struct stat first, other;

	for (size_t i = 1; i < count; i++)
		if (stat(spools[0], &first) != 0 || stat(spools[i], &other) != 0 || first.st_ino != other.st_ino ||
			first.st_dev != other.st_dev)
			return true;
	return false;
}

int site_read(struct site *site, char *const *spools, size_t spool_count, const struct choice *choice)
{
	*site = (struct site){.spools = spools, .several = are_several(spools, spool_count)};
	for (size_t i = 0; i < spool_count; i++)
		if (read_spool(site, i, spool_count > 1, choice) != 0) {
			site_free(site);
			return -1;
		}
	for (size_t i = 0; i < site->count; i++) {
		trend_judge(&site->jobs[i].trend);
		if (spool_count > 1)
			trend_remove_twins(&site->jobs[i].trend);
		add_waste(&site->jobs[i]);
	}
	struct job_named *named = xcalloc(site->count, sizeof *named);
	for (size_t i = 0; i < site->count; i++)
		named[i] = (struct job_named){site->jobs[i].key, &site->jobs[i].name};
	job_key_set_titles(named, site->count);
	free(named);
	array_sort(site->jobs, site->count, by_last);
	find_around(site);
	return 0;
}

void site_free(struct site *site)
{
	for (size_t i = 0; i < site->count; i++) {
		struct site_job *job = &site->jobs[i];
		for (size_t j = 0; j < job->count; j++)
			digest_free(&job->items[j].digest);
		free(job->items);
		free(job->key);
		free(job->name);
		trend_free(&job->trend);
	}
	free(site->jobs);
	*site = (struct site){0};
}

/* -- earlier runs ---------------------------------------------------------------------------------- */

void site_earlier(struct uses *uses, const struct site_job *job, size_t place, size_t limit)
{
	*uses = (struct uses){0};
	for (size_t i = place; i > 0 && uses_want_more(uses, limit); i--) {
		const struct trend_run *run = &job->trend.runs[i - 1];
		if (run->over)
			uses_add(uses, &job->items[run->position].digest.use);
	}
	uses_reverse(uses);
}

size_t site_history(const struct digest **digests, const struct site_job *job, size_t place, size_t limit)
{
	size_t count = 0;

	for (size_t i = place; i > 0 && count < limit; i--) {
		const struct digest *digest = &job->items[job->trend.runs[i - 1].position].digest;
		if (digest_is_typical(digest))
			digests[count++] = digest;
	}
	return count;
}
