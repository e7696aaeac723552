/* SPDX-License-Identifier: Apache-2.0 */
/* Reads the earlier groups of a group's job.
 *
 * First lists all runs in the spools that belong to a group, and keeps only their names and times. Then sums the
 * digests of the runs of each group that has the right job. If the group is a Slurm job, the earlier groups are the
 * attempts of earlier jobs, each with its script, steps and ranks, because they share one request. If the group is a
 * step of a Slurm job, the earlier groups are the steps of earlier jobs that have the same step number. */
#include "report/history/earlier.h"

#include "report/model/nest.h"
#include "report/history/digest.h"
#include "report/history/beside.h"
#include "report/history/uses.h"
#include "report/say/array.h"
#include "report/spool/choice.h"
#include "report/spool/job_key.h"
#include "report/spool/unit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A run of some group. */
struct member {
	char *group, *key, *host, *id, *parent, *name; /* owned */
	const char *spool;
	double rank, start, stop, machine_mib;
	bool goes_on, within;
};

struct members {
	struct member *items;
	size_t count;
};

/* The members of one group, which are consecutive in the array of members. */
struct slice {
	struct member *members;
	size_t count;
	double start; /* start of its first run */
};

/* -- listing --------------------------------------------------------------------------------------- */

/* Kind of a group and of its earlier groups. */
enum kind {
	KIND_SLURM_JOB,  /* an attempt of a Slurm job, with its script and all steps */
	KIND_SLURM_STEP, /* a step of an attempt of a Slurm job */
	KIND_RANKS       /* the runs with the same group in run.json */
};

static bool has_same_label(const struct run *run, const struct run *other, const char *key)
{
	return strcmp(run_label(run, key), run_label(other, key)) == 0;
}

static enum kind kind_of(const struct group *group)
{
	const struct run *run = &group->parts[0].run;
	const char *step = run_label(run, "slurm_step_id"), *dot = strrchr(group->id, '.');
	char unit[UNIT_NAME_SIZE];

	unit_of(run, unit);
	if (unit_is_slurm(run) && strcmp(unit, group->id) == 0)
		return KIND_SLURM_JOB;
	/* A step has the name "slurm:7.1" as a unit, and the group "7.1" in run.json. */
	return unit_is_slurm(run) && *step && dot && strcmp(dot + 1, step) == 0 ? KIND_SLURM_STEP : KIND_RANKS;
}

/* Returns the name of the group of this kind that contains a run. Returns NULL if the run is in no such group or in
 * `group`. For a step, also returns NULL if the run is in a step of the same job or in a step with another number. The
 * caller must free the name. */
static char *group_of(const struct run *run, const struct group *group, enum kind kind)
{
	const struct run *own = &group->parts[0].run;
	const char *name = json_string(run->json, "group");
	char unit[UNIT_NAME_SIZE], allocation[UNIT_NAME_SIZE];

	if (kind == KIND_RANKS)
		return *name && strcmp(name, group->id) != 0 ? xstrdup(name) : NULL;
	if (!unit_is_slurm(run) || unit_has(group->id, run))
		return NULL;
	if (kind == KIND_SLURM_STEP &&
		(!has_same_label(run, own, "slurm_step_id") ||
			(has_same_label(run, own, "slurm_job_id") && has_same_label(run, own, "cluster"))))
		return NULL;
	unit_allocation(run, allocation);
	if (kind == KIND_SLURM_STEP)
		return xasprintf("%ju %s", (uintmax_t)run->files.owner, allocation);
	/* The tasks of an array are one unit. The last part of an allocation's name is the attempt. */
	unit_of(run, unit);
	return xasprintf("%ju %s %s %s", (uintmax_t)run->files.owner, unit, unit_cluster(run),
		strrchr(allocation, '/') ? strrchr(allocation, '/') : "");
}

/* Takes ownership of `group`. In Slurm jobs, the batch script's run has no rank, so the runs of a job are
 * not sorted by rank. */
static void add_member(struct members *members, const struct run *run, const char *spool, char *group, enum kind kind)
{
	array_grow(&members->items, members->count, sizeof *members->items);
	members->items[members->count++] = (struct member){.group = group,
		.key = job_key(run),
		.host = xstrdup(run->host),
		.id = xstrdup(run->id),
		.parent = xstrdup(nest_parent(run)),
		.name = xstrdup(text_basename(text_of(run->directory)).data),
		.spool = spool,
		.rank = kind == KIND_SLURM_JOB
				? UNKNOWN
				: json_double(cJSON_GetObjectItemCaseSensitive(run->json, "member"), "rank"),
		.start = run->start_time,
		.stop = run->stop_time,
		.machine_mib = run->machine_memory_mib,
		.goes_on = strcmp(run->status, "running") == 0};
}

static int find_members(
	struct members *members, const struct group *group, const struct group_wish *wish, const char *spool)
{
	const struct choice choice = {.labels = wish->labels, .since = UNKNOWN};
	enum kind kind = kind_of(group);
	struct runs runs;
	struct run run;

	if (runs_list(&runs, spool) != 0)
		return -1;
	while (runs_next(&runs, &run)) {
		char *of =
			number_known(run.start_time) && choice_has(&choice, &run) ? group_of(&run, group, kind) : NULL;
		if (of)
			add_member(members, &run, spool, of, kind);
		run_close(&run);
	}
	runs_free(&runs);
	return 0;
}

static void members_free(struct members *members)
{
	for (size_t i = 0; i < members->count; i++) {
		const struct member *member = &members->items[i];
		char *const texts[] = {
			member->group, member->key, member->host, member->id, member->parent, member->name};
		for (size_t k = 0; k < ARRAY_LENGTH(texts); k++)
			free(texts[k]);
	}
	free(members->items);
}

/* -- groups ---------------------------------------------------------------------------------------- */

/* Orders members by group, then by rank, as group_read does. */
static int by_group(const void *a, const void *b)
{
	const struct member *x = a, *y = b;
	int order = strcmp(x->group, y->group);

	return order != 0 ? order : group_order(x->rank, x->start, y->rank, y->start);
}

/* Orders members by machine, then by start. */
static int by_host(const void *a, const void *b)
{
	const struct member *x = a, *y = b;
	int order = strcmp(x->host, y->host);

	return order != 0 ? order : ORDER(x->start, y->start);
}

static int newest_first(const void *a, const void *b)
{
	double x = ((const struct slice *)a)->start, y = ((const struct slice *)b)->start;
	return ORDER(y, x);
}

/* Finds the groups of the same job that began before `group` and have ended, newest first. Returns their number.
 * `slices` must have room for one entry per member. */
static size_t find_slices(struct slice *slices, struct members *members, const struct group *group)
{
	char *key = job_key(&group->parts[0].run);
	size_t count = 0;

	array_sort(members->items, members->count, by_group);
	for (size_t i = 0, next; i < members->count; i = next) {
		struct slice slice = {&members->items[i], 0, members->items[i].start};
		bool over = true;
		for (next = i; next < members->count && strcmp(members->items[next].group, slice.members->group) == 0;
			next++) {
			slice.start = fmin(slice.start, members->items[next].start);
			over &= !members->items[next].goes_on;
		}
		slice.count = next - i;
		if (over && slice.start < group->start_time && strcmp(slice.members->key, key) == 0)
			slices[count++] = slice;
	}
	free(key);
	array_sort(slices, count, newest_first);
	return count;
}

static void mark_slice(struct slice *slice)
{
	struct nest *nests = xcalloc(slice->count, sizeof *nests);

	for (size_t i = 0; i < slice->count; i++) {
		struct member *member = &slice->members[i];
		nests[i] = (struct nest){
			.id = member->id, .parent = member->parent, .start_time = member->start, .run = member};
	}
	nest_find(nests, slice->count);
	for (size_t i = 0; i < slice->count; i++)
		((struct member *)nests[i].run)->within = nests[i].around || nests[i].again;
	free(nests);
}

/* -- usage ----------------------------------------------------------------------------------------- */

/* Reads the usage of one run. Returns false if the run was removed in the meantime. */
static bool read_member(struct use *use, const struct member *member)
{
	const struct runs runs = {.spool = (char *)member->spool};
	struct digest digest;
	bool found = digest_find(&digest, &runs, member->name, NULL, NULL);

	if (found)
		*use = digest.use;
	digest_free(&digest);
	return found;
}

/* Sums the usage of `count` runs of one machine, which must be ordered by start. Returns false if one of them was
 * removed in the meantime. */
static bool read_machine(struct use *use, const struct member *members, size_t count)
{
	struct together all = together_begin();
	struct use one;

	for (size_t i = 0; i < count; i++) {
		const struct member *member = &members[i];
		if (!member->within && read_member(&one, member))
			together_add(&all, member->start, member->stop, member->machine_mib, &one);
	}
	return together_end(&all, use);
}

static bool read_slice(struct use *use, struct slice *slice)
{
	struct use machine;
	bool read = false;

	mark_slice(slice);
	array_sort(slice->members, slice->count, by_host);
	for (size_t i = 0, next; i < slice->count; i = next) {
		const struct member *first = &slice->members[i];
		for (next = i + 1; next < slice->count && strcmp(slice->members[next].host, first->host) == 0;)
			next++;
		if (!read_machine(&machine, first, next - i))
			continue;
		if (read)
			use_take_most(use, &machine);
		else
			*use = machine;
		read = true;
	}
	return read;
}

static void read_slices(struct uses *uses, struct slice *slices, size_t count, size_t limit)
{
	struct use use;

	for (size_t i = 0; i < count && uses_want_more(uses, limit); i++)
		if (read_slice(&use, &slices[i]))
			uses_add(uses, &use);
	uses_reverse(uses);
}

int group_find_earlier(struct group *group, const struct group_wish *wish, const struct spools *spools)
{
	struct members members = {0};
	int result = 0;

	if (wish->earlier == 0 || group->script)
		return 0;
	for (size_t i = 0; result == 0 && i < spools->count; i++)
		result = find_members(&members, group, wish, spools->items[i]);
	if (result == 0) {
		struct slice *slices = xcalloc(members.count, sizeof *slices);
		read_slices(&group->earlier, slices, find_slices(slices, &members, group), wish->earlier);
		free(slices);
	}
	members_free(&members);
	return result;
}
