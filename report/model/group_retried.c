/* SPDX-License-Identifier: Apache-2.0 */
/* Finds the unfinished runs of a group whose task was attempted again later.
 *
 * Attempts of one task have the same job, the same rank and the same labels, except for paths, such as the working
 * directory of an attempt, and for the label "attempt", which differs. Two runs without this label are not attempts of
 * one task, because two calls of a program may have the same job and labels. */
#include "report/model/group.h"

#include "report/say/alloc.h"
#include "report/say/array.h"
#include "report/spool/job_key.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct attempt {
	char *task; /* job and labels that name the task; owned */
	struct group_part *part;
};

bool group_label_names_task(const cJSON *label)
{
	const char *value = cJSON_GetStringValue(label);

	return value && strcmp(label->string, GROUP_ATTEMPT) != 0 && *value != '/' && !strstr(value, "://");
}

/* Returns the job and the labels that name the task of a run. The caller must free the text. */
static char *name_task(const struct run *run)
{
	const cJSON *label;
	char *text, *key = job_key(run);
	size_t size;
	FILE *out = xopen_memstream(&text, &size);

	fputs(key, out);
	cJSON_ArrayForEach(label, cJSON_GetObjectItemCaseSensitive(run->json, "labels"))
	{
		if (group_label_names_task(label))
			fprintf(out, "\n%s=%s", label->string, label->valuestring);
	}
	xclose_memstream(out);
	free(key);
	return text;
}

/* Orders attempts by task, then by rank, then by start. */
static int by_task(const void *a, const void *b)
{
	const struct attempt *x = a, *y = b;
	int order = strcmp(x->task, y->task);

	return order != 0 ? order
			  : group_order(x->part->rank, x->part->run.start_time, y->part->rank, y->part->run.start_time);
}

static bool has_rank_of(const struct group_part *a, const struct group_part *b)
{
	return number_known(a->rank) == number_known(b->rank) && (!number_known(a->rank) || a->rank == b->rank);
}

/* Returns whether `next`, which follows `attempt` in the order of by_task, is a later attempt of the same task. */
static bool is_repeated(const struct attempt *attempt, const struct attempt *next)
{
	const struct run *run = &attempt->part->run, *later = &next->part->run;

	return strcmp(attempt->task, next->task) == 0 && has_rank_of(attempt->part, next->part) &&
	       strcmp(run_label(run, GROUP_ATTEMPT), run_label(later, GROUP_ATTEMPT)) != 0 &&
	       later->start_time >= run->stop_time - GROUP_FOUND_LATE;
}

void group_find_retried(struct group *group)
{
	size_t unfinished = 0, count = 0;

	for (size_t i = 0; i < group->count; i++)
		unfinished += group->parts[i].unfinished;
	if (unfinished == 0)
		return;
	struct attempt *attempts = xcalloc(group->count, sizeof *attempts);
	for (size_t i = 0; i < group->count; i++)
		if (!group->parts[i].again)
			attempts[count++] = (struct attempt){name_task(&group->parts[i].run), &group->parts[i]};
	array_sort(attempts, count, by_task);
	for (size_t i = 0; i + 1 < count; i++)
		attempts[i].part->retried = attempts[i].part->unfinished && is_repeated(&attempts[i], &attempts[i + 1]);
	for (size_t i = 0; i < count; i++)
		free(attempts[i].task);
	free(attempts);
}
