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
#include <math.h>
#include <stdlib.h>
#include <string.h>

struct choice options_choice(const struct options *options)
{
	return (struct choice){.job = options->text[OPTION_job],
		.group = options->text[OPTION_group],
		.labels = options->labels,
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
		!choice_wants(search->choice, digest->job, digest->user, digest->start_time) ||
		!choice_takes(search->choice, &search->jobs->runs, search->name))
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

/* Returns whether another run of the same Slurm job includes this run: mpirun, for example, starts ranks inside the
 * run of the batch script. The figures of the other run then contain the figures of this run. */
static bool is_in_job(const struct digest *digest)
{
	return *digest->parent && strchr(digest->allocation, '/');
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
		if (is_in_job(digest))
			continue;
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

/* -- usage of a job's runs --------------------------------------------------------------------------- */

/* A step or rank. All steps of an attempt of a Slurm job, and all ranks of a group, are one run of the job. */
struct step {
	struct digest digest;
};

static int by_unit(const struct step *a, const struct step *b)
{
	int order = strcmp(a->digest.allocation, b->digest.allocation);

	/* A run without an allocation is a unit of its own. */
	if (order == 0 && !*a->digest.allocation)
		order = strcmp(a->digest.id, b->digest.id);
	return order != 0 ? order : ORDER(a->digest.identity.owner, b->digest.identity.owner);
}

/* Orders steps by unit, machine and start. */
static int by_machine(const void *a, const void *b)
{
	const struct step *x = a, *y = b;
	int order = by_unit(x, y);

	if (order == 0)
		order = strcmp(x->digest.host, y->digest.host);
	return order != 0 ? order : ORDER(x->digest.start_time, y->digest.start_time);
}

/* Computes the usage of the steps of one unit: for each figure, the largest value of any machine. The steps must be
 * ordered by machine and start. */
static void add_up_steps(struct use *use, const struct step *steps, size_t count)
{
	for (size_t i = 0, next; i < count; i = next) {
		struct together all = together_begin();
		struct use machine;
		for (next = i; next < count && strcmp(steps[next].digest.host, steps[i].digest.host) == 0; next++) {
			const struct digest *digest = &steps[next].digest;
			together_add(&all, digest->start_time, digest->start_time + known_first(digest->use.seconds, 0),
				UNKNOWN, &digest->use);
		}
		(void)together_end(&all, &machine);
		if (i == 0)
			*use = machine;
		else
			use_take_most(use, &machine);
	}
}

/* A run of the job and its start. */
struct unit_use {
	double start;
	struct use use;
};

static int newest_first(const void *a, const void *b)
{
	const struct unit_use *x = a, *y = b;

	return ORDER(y->start, x->start);
}

static size_t read_steps(struct step *steps, const struct jobs *jobs, const struct job *job)
{
	size_t count = 0;

	for (size_t i = 0; i < job->count; i++) {
		struct digest *digest = &steps[count].digest;
		if (!digest_find(digest, &jobs->runs, job->names[i], NULL, NULL))
			continue;
		if (digest_ended(digest, jobs->status) && !is_in_job(digest))
			count++;
		else
			digest_free(digest);
	}
	array_sort(steps, count, by_machine);
	return count;
}

void jobs_read_uses(struct uses *uses, const struct jobs *jobs, const struct job *job, size_t limit)
{
	struct step *steps = xcalloc(job->count, sizeof *steps);
	struct unit_use *units = xcalloc(job->count, sizeof *units);
	size_t count = read_steps(steps, jobs, job), unit_count = 0;

	for (size_t i = 0, next; i < count; i = next) {
		struct unit_use *unit = &units[unit_count++];
		unit->start = steps[i].digest.start_time;
		for (next = i; next < count && by_unit(&steps[next], &steps[i]) == 0; next++)
			unit->start = fmin(unit->start, steps[next].digest.start_time);
		add_up_steps(&unit->use, &steps[i], next - i);
	}
	array_sort(units, unit_count, newest_first);
	*uses = (struct uses){0};
	for (size_t i = 0; i < unit_count && uses_want_more(uses, limit); i++)
		uses_add(uses, &units[i].use);
	uses_reverse(uses);
	for (size_t i = 0; i < count; i++)
		digest_free(&steps[i].digest);
	free(steps);
	free(units);
}
