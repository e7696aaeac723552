/* SPDX-License-Identifier: Apache-2.0 */
/* Reads the runs of a group. */
#include "report/model/group.h"

#include "report/model/nest.h"
#include "report/say/array.h"
#include "report/say/message.h"
#include "report/spool/choice.h"
#include "report/spool/runs.h"
#include "report/spool/unit.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

int group_order(double rank, double start, double other_rank, double other_start)
{
	if (number_known(rank) != number_known(other_rank))
		return number_known(rank) ? -1 : 1;
	if (rank != other_rank && number_known(rank))
		return ORDER(rank, other_rank);
	return ORDER(start, other_start);
}

/* -- runs ------------------------------------------------------------------------------------------ */

static void add_part(struct group *group, const struct run *run)
{
	array_grow(&group->parts, group->count, sizeof *group->parts);
	const cJSON *member = cJSON_GetObjectItemCaseSensitive(run->json, "member");
	group->parts[group->count++] = (struct group_part){.run = *run,
		.rank = *json_string(run->json, "group") ? json_double(member, "rank") : UNKNOWN,
		.outcome = outcome_of(run, false),
		.unfinished = strcmp(run->status, "finished") != 0 && !run_is_running(run)};
}

/* Raises the limit of open files, because a group keeps the directories of all its runs open. */
static void raise_descriptor_limit(void)
{
	struct rlimit limit;

	if (getrlimit(RLIMIT_NOFILE, &limit) == 0) {
		limit.rlim_cur = limit.rlim_max;
		(void)setrlimit(RLIMIT_NOFILE, &limit);
	}
}

static int find_parts(struct group *group, const struct group_wish *wish, const char *spool, bool several)
{
	const struct choice choice = {.group = wish->id, .labels = wish->labels, .since = UNKNOWN};
	struct runs runs;
	struct run run;

	if (runs_list(&runs, spool) != 0) {
		if (several) {
			runs_count_unlisted(spool, errno);
			return 0;
		}
		runs_say_unlisted(spool, errno);
		return -1;
	}
	raise_descriptor_limit();
	while (runs_next(&runs, &run))
		if (choice_has(&choice, &run))
			add_part(group, &run);
		else
			run_close(&run);
	runs_free(&runs);
	return 0;
}

/* Orders shorter names first, so that "7.2" comes before "7.10". */
static int by_name(const char *a, const char *b)
{
	size_t x = strlen(a), y = strlen(b);

	return x != y ? ORDER(x, y) : strcmp(a, b);
}

/* Orders parts by step, then by rank, then by start. A workflow unit may have several steps, each with its own
 * ranks. */
static int by_rank(const void *a, const void *b)
{
	const struct group_part *x = a, *y = b;
	int order = by_name(json_string(x->run.json, "group"), json_string(y->run.json, "group"));

	return order != 0 ? order : group_order(x->rank, x->run.start_time, y->rank, y->run.start_time);
}

/* Marks the parts of the group that are included in other parts. Sums use only the outer part, because its figures
 * contain the figures of the parts inside it and of its own processes. */
static void mark_within(struct group *group)
{
	struct nest *nests = xcalloc(group->count, sizeof *nests);

	for (size_t i = 0; i < group->count; i++) {
		struct group_part *part = &group->parts[i];
		nests[i] = (struct nest){.id = part->run.id,
			.identity = part->run.files.identity,
			.parent = nest_parent(&part->run),
			.start_time = part->run.start_time,
			.run = part};
	}
	nest_find(nests, group->count);
	for (size_t i = 0; i < group->count; i++) {
		struct group_part *part = nests[i].run;
		part->again = nests[i].again;
		part->within = nests[i].around || part->again;
		if (nests[i].around && !part->again)
			((struct group_part *)nests[i].around->run)->around = true;
		group->runs += !part->again;
	}
	free(nests);
}

static int newest_first(const void *a, const void *b)
{
	const struct group_part *x = a, *y = b;

	return ORDER(y->run.start_time, x->run.start_time);
}

/* Returns how many of the parts, which are newest first, belong to the same job as the newest one. */
static size_t count_newest(const struct group_part *parts, size_t count)
{
	size_t newest = count;
	double end = UNKNOWN;

	for (size_t i = count; i-- > 0;) {
		if (parts[i].run.start_time - end > UNIT_PAUSE)
			newest = i + 1;
		end = known_larger(end, known_first(parts[i].run.stop_time, parts[i].run.start_time));
	}
	return newest;
}

static void say_other_job(const struct group *group, const struct run *other)
{
	const char *cluster = unit_cluster(other);

	message_print("'%s' is also a job of %s%s%s, which is left out: choose it by --label cluster=NAME, or by the "
		      "--spool of its user",
		group->id, other->user, *cluster ? " on the cluster " : "", cluster);
}

/* Removes the parts of other jobs with the same number. Keeps the newest job. Prints how to select another one. */
static void keep_newest_job(struct group *group)
{
	size_t kept = 0;
	bool told = false;

	array_sort(group->parts, group->count, newest_first);
	const struct run newest = group->parts[0].run;
	for (size_t i = 0; i < group->count; i++) {
		struct group_part *part = &group->parts[i];
		bool same = strcmp(unit_cluster(&part->run), unit_cluster(&newest)) == 0 &&
			    part->run.files.owner == newest.files.owner;
		if (same) {
			group->parts[kept++] = *part;
			continue;
		}
		if (!told)
			say_other_job(group, &part->run);
		told = true;
		run_close(&part->run);
	}
	group->count = kept;
	kept = count_newest(group->parts, kept);
	while (group->count > kept)
		run_close(&group->parts[--group->count].run);
}

int group_read(struct group *group, const struct group_wish *wish, const struct spools *spools)
{
	*group = (struct group){.id = wish->id, .of = UNKNOWN, .clock_skew = UNKNOWN};
	for (size_t i = 0; i < spools->count; i++)
		if (find_parts(group, wish, spools->items[i], spools->count > 1) != 0) {
			group_free(group);
			return -1;
		}
	if (group->count == 0) {
		message_print("no run of the group '%s'%s in '%s'%s", group->id,
			*wish->labels ? " with these labels" : "", spools->items[0],
			spools->count > 1 ? " and the other spools" : "");
		group_free(group);
		return -1;
	}
	if (unit_is_name(group->id))
		keep_newest_job(group);
	for (size_t i = 0; i < group->count; i++)
		group->of = known_larger(group->of,
			json_double(cJSON_GetObjectItemCaseSensitive(group->parts[i].run.json, "member"), "of"));
	array_sort(group->parts, group->count, by_rank);
	mark_within(group);
	group_find_retried(group);
	if (group_add_up(group, wish) != 0) {
		message_print("the runs of '%s' cannot be added up: %s", group->id, strerror(errno));
		group_free(group);
		return -1;
	}
	group_find_efficiency(group);
	group_balance(group);
	return 0;
}

void group_free(struct group *group)
{
	for (size_t i = 0; i < group->count; i++)
		run_close(&group->parts[i].run);
	free(group->parts);
	free(group->hosts);
	free(group->missing);
	processes_free(&group->processes);
	uses_free(&group->earlier);
	sum_free(&group->sum);
	sum_free(&group->machine);
	*group = (struct group){0};
}
