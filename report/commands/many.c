/* SPDX-License-Identifier: Apache-2.0 */
/* Functions for commands on many runs: they select runs, list the jobs of a spool, and read the runs of a job.
 *
 * A spool is sorted by time, not by job. Therefore all digests are read once to find the names of the jobs.
 * jobs_read_uses then reads the figures of one job, and jobs_read_runs those of all jobs. */
#define _GNU_SOURCE
#include "report/commands/many.h"

#include "report/history/beside.h"
#include "report/history/digest.h"
#include "report/model/nest.h"
#include "report/say/alloc.h"
#include "report/say/array.h"
#include "report/spool/job_key.h"
#include "report/spool/runs.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct choice options_choice(const struct options *options)
{
	return (struct choice){.job = options->text[OPTION_job],
		.group = options->text[OPTION_group],
		.labels = options->lines,
		.user = options->text[OPTION_user],
		.status = options->text[OPTION_status],
		.since = options->number[OPTION_since]};
}

bool many_takes(const struct choice *choice, const struct runs *runs, const char *name, const struct run *run)
{
	struct digest digest;

	if (!choice_has(choice, run))
		return false;
	if (!choice->status)
		return true;
	if (!digest_find(&digest, runs, name, NULL, NULL))
		return false;
	bool takes = digest_ended(&digest, choice->status);
	digest_free(&digest);
	return takes;
}

/* -- jobs ------------------------------------------------------------------------------------------ */

struct search {
	struct jobs *jobs;
	const struct choice *choice;
	const char *name; /* name of the run that is being read */
};

static struct job *find_job(struct jobs *jobs, const struct digest *digest)
{
	for (size_t i = 0; i < jobs->count; i++)
		if (strcmp(jobs->items[i].key, digest->key) == 0)
			return &jobs->items[i];
	array_grow(&jobs->items, jobs->count, sizeof *jobs->items);
	jobs->items[jobs->count] = (struct job){.key = xstrdup(digest->key), .name = xstrdup(digest->job)};
	return &jobs->items[jobs->count++];
}

/* Adds the name of the run to its job. Returns false, because the digest need not be kept. */
static bool take(const void *context, const struct digest *digest)
{
	const struct search *search = *(struct search *const *)context;

	if (digest->problem || strcmp(digest->status, "running") == 0 ||
		!choice_wants(search->choice, digest->job, digest->user, digest->start_time))
		return false;
	struct job *job = find_job(search->jobs, digest);
	array_grow(&job->names, job->count, sizeof *job->names);
	job->names[job->count++] = search->name;
	return false;
}

static int by_name(const void *a, const void *b)
{
	const struct job *first = a, *second = b;
	int order = strcmp(first->name, second->name);
	return order != 0 ? order : strcmp(first->key, second->key);
}

static int list_jobs(struct jobs *jobs, const struct spools *spools, const struct choice *choice)
{
	struct search search = {.jobs = jobs, .choice = choice};
	struct search *place = &search;

	*jobs = (struct jobs){.status = choice->status};
	if (runs_list_several(&jobs->runs, spools) != 0)
		return -1;
	while ((search.name = runs_next_name(&jobs->runs))) {
		struct digest digest;
		(void)digest_find(&digest, &jobs->runs, search.name, take, &place);
	}
	array_sort(jobs->items, jobs->count, by_name);
	struct job_named *named = xcalloc(jobs->count, sizeof *named);
	for (size_t i = 0; i < jobs->count; i++)
		named[i] = (struct job_named){jobs->items[i].key, &jobs->items[i].name};
	job_key_set_titles(named, jobs->count);
	free(named);
	return 0;
}

int options_list_jobs(struct jobs *jobs, const struct options *options, const char *spool)
{
	const struct choice choice = options_choice(options);
	struct spools spools;

	spools_find(&spools, options->spools, options->spool_count, spool);
	int result = list_jobs(jobs, &spools, &choice);
	if (result != 0)
		runs_say_unlisted(spools.items[0], errno);
	spools_free(&spools);
	return result;
}

void jobs_free(struct jobs *jobs)
{
	for (size_t i = 0; i < jobs->count; i++) {
		free(jobs->items[i].key);
		free(jobs->items[i].name);
		free(jobs->items[i].names);
	}
	free(jobs->items);
	runs_free(&jobs->runs);
	*jobs = (struct jobs){0};
}

/* Computes what each run requested and used, and marks the runs that are part of other runs. */
static void judge_runs(struct job_run *runs, size_t count)
{
	struct nest *nests = xcalloc(count, sizeof *nests);
	struct beside *sums = xcalloc(count, sizeof *sums);
	size_t shared = 0;

	for (size_t i = 0; i < count; i++) {
		const struct digest *digest = &runs[i].digest;
		struct waste alone = {.runs = 0};
		waste_add(&alone, &digest->use);
		runs[i].asked = alone.runs > 0;
		nests[i] = (struct nest){.id = digest->id,
			.identity = digest->identity,
			.parent = digest->parent,
			.start_time = digest->start_time,
			.asked = runs[i].asked,
			.run = &runs[i]};
		if (*digest->allocation)
			sums[shared++] = (struct beside){digest->allocation, digest->host, digest->parent,
				digest->start_time, &digest->use, &runs[i].waste};
		else
			runs[i].waste = alone;
	}
	nest_find(nests, count);
	beside_add_up(sums, shared);
	for (size_t i = 0; i < count; i++) {
		struct job_run *run = nests[i].run;
		run->within = nests[i].around || nests[i].again;
		run->asked_around = nests[i].asked_around;
	}
	free(nests);
	free(sums);
}

struct job_run *jobs_read_runs(const struct jobs *jobs, size_t *count)
{
	struct job_run *runs = NULL;

	*count = 0;
	for (size_t i = 0; i < jobs->count; i++)
		for (size_t k = 0; k < jobs->items[i].count; k++) {
			struct job_run run = {.job = i};
			if (!digest_find(&run.digest, &jobs->runs, jobs->items[i].names[k], NULL, NULL))
				continue;
			if (!digest_ended(&run.digest, jobs->status)) {
				digest_free(&run.digest);
				continue;
			}
			array_grow(&runs, *count, sizeof run);
			runs[(*count)++] = run;
		}
	judge_runs(runs, *count);
	return runs;
}

void job_runs_free(struct job_run *runs, size_t count)
{
	for (size_t i = 0; i < count; i++)
		digest_free(&runs[i].digest);
	free(runs);
}

void jobs_read_uses(struct uses *uses, const struct jobs *jobs, const struct job *job, size_t limit)
{
	size_t most = limit < job->count ? 2 * limit : job->count;
	size_t finished = 0;
	struct digest digest;

	*uses = (struct uses){.items = xcalloc(most < job->count ? most : job->count, sizeof(struct use))};
	for (size_t i = 0; i < job->count && uses_want_more(uses, finished, limit); i++)
		if (digest_find(&digest, &jobs->runs, job->names[i], NULL, NULL) > 0) {
			if (digest_ended(&digest, jobs->status)) {
				uses->items[uses->count++] = digest.use;
				finished += digest.use.end == USE_FINISHED;
			}
			digest_free(&digest);
		}
	uses_reverse(uses);
}
