/* The jobs of a spool; see jobs.h.
 *
 * A spool has its runs by their time and not by their jobs, so all of their digests are looked at once, for the name
 * alone; the figures are read job by job, so that no more than those of one job are in memory. */
#define _GNU_SOURCE
#include "report/commands/jobs.h"

#include "report/spool/choice.h"
#include "report/history/digest.h"
#include "report/say/array.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct search {
	struct jobs *jobs;
	const struct choice *choice;
	const char *name; /* of the run that is looked at */
	bool failed;
};

/* -- the list -------------------------------------------------------------------------------------- */

static struct job *find_job(struct search *search, const char *name)
{
	struct jobs *jobs = search->jobs;

	for (size_t i = 0; i < jobs->count; i++)
		if (strcmp(jobs->items[i].name, name) == 0)
			return &jobs->items[i];
	array_grow(&jobs->items, jobs->count, sizeof *jobs->items);
	struct job *job = &jobs->items[jobs->count];
	*job = (struct job){.name = strdup(name)};
	if (!job->name)
		return NULL;
	jobs->count++;
	return job;
}

static int add_run(struct job *job, const char *name)
{
	array_grow(&job->names, job->count, sizeof *job->names);
	job->names[job->count++] = name;
	return 0;
}

/* Takes the name and declines the figures. */
static bool take(const void *context, const struct digest *digest)
{
	struct search *search = *(struct search *const *)context;

	if (digest->problem || strcmp(digest->status, "running") == 0 ||
		!choice_wants(search->choice, digest->job, digest->user, digest->start_time))
		return false;
	struct job *job = find_job(search, digest->job);
	if (!job || add_run(job, search->name) != 0)
		search->failed = true;
	return false;
}

static int by_name(const void *a, const void *b)
{
	const struct job *first = a, *second = b;
	return strcmp(first->name, second->name);
}

int jobs_list(struct jobs *jobs, const struct spools *spools, const struct choice *choice)
{
	struct search search = {.jobs = jobs, .choice = choice};
	struct search *place = &search;

	*jobs = (struct jobs){.status = choice->status};
	if (runs_list_several(&jobs->runs, spools) != 0)
		return -1;
	while (!search.failed && (search.name = runs_next_name(&jobs->runs))) {
		struct digest digest;
		if (digest_find(&digest, &jobs->runs, search.name, take, &place) < 0)
			search.failed = true;
	}
	if (search.failed) {
		jobs_free(jobs);
		errno = ENOMEM;
		return -1;
	}
	if (jobs->count > 0)
		qsort(jobs->items, jobs->count, sizeof *jobs->items, by_name);
	return 0;
}

void jobs_free(struct jobs *jobs)
{
	for (size_t i = 0; i < jobs->count; i++) {
		free(jobs->items[i].name);
		free(jobs->items[i].names);
	}
	free(jobs->items);
	runs_free(&jobs->runs);
	*jobs = (struct jobs){0};
}

/* -- figures --------------------------------------------------------------------------------------- */

int jobs_read_uses(struct uses *uses, const struct jobs *jobs, const struct job *job, size_t limit)
{
	size_t most = limit < job->count ? 2 * limit : job->count;
	size_t finished = 0;

	*uses = (struct uses){.items = calloc((most < job->count ? most : job->count) + 1, sizeof(struct use))};
	if (!uses->items)
		return -1;
	for (size_t i = 0; i < job->count && uses_want_more(uses, finished, limit); i++) {
		struct digest digest;
		int found = digest_find(&digest, &jobs->runs, job->names[i], NULL, NULL);
		if (found < 0) {
			uses_free(uses);
			errno = ENOMEM;
			return -1;
		}
		if (found > 0) {
			if (digest_ended(&digest, jobs->status)) {
				uses->items[uses->count++] = digest.use;
				finished += digest.use.end == USE_FINISHED;
			}
			digest_free(&digest);
		}
	}
	uses_turn(uses);
	return 0;
}
