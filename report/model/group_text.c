/* SPDX-License-Identifier: Apache-2.0 */
/* Describes a group as text and JSON. */
#define _GNU_SOURCE
#include "report/model/group.h"
#include "report/say/utf8.h"

#include <string.h>

enum { NAMED_MAX = 8, NAMES_WIDTH = 40 /* bytes of all names together */, NAME_MOST = 60 /* bytes of one name */ };

/* -- in a sentence --------------------------------------------------------------------------------- */

/* The names of several parts, such as those that were killed. A part is named by its rank, or by its run or job if
 * it has no rank. */
struct list {
	char names[512];
	size_t count;
	size_t ranks; /* how many of the names are ranks */
};

static void add_name(struct list *list, const char *rank, const char *id)
{
	list->ranks += *rank != '\0';
	if (list->count++ >= NAMED_MAX)
		return;
	const char *name = *rank ? rank : id;
	units_append(list->names, sizeof list->names, "%s%.60s", *list->names ? ", " : "", name);
}

static void add_part_name(struct list *list, const struct group *group, const struct group_part *part)
{
	char rank[GROUP_RANK_SIZE];

	group_rank_name(group, part, rank);
	add_name(list, rank, group->script ? part->run.job : part->run.id);
}

/* Appends a list such as "; killed: ranks 3, 5". The word "ranks" shows that the numbers are not counts. */
static void append_list(char *text, size_t size, const char *what, const struct list *list)
{
	char rest[64] = "";

	if (list->count == 0)
		return;
	if (list->count > NAMED_MAX)
		snprintf(rest, sizeof rest, " and %zu more", list->count - NAMED_MAX);
	units_append(text, size, "; %s: %s%s%s", what,
		list->ranks < list->count ? ""
		: list->count == 1        ? "rank "
					  : "ranks ",
		list->names, rest);
}

/* Appends the list of the parts that have the outcome `end` and were not retried. */
static void append_ends(char *text, size_t size, const struct group *group, enum outcome end)
{
	struct list list = {.count = 0};

	for (size_t i = 0; i < group->count; i++) {
		const struct group_part *part = &group->parts[i];
		if (!part->again && part->unfinished && !part->retried && part->outcome == end)
			add_part_name(&list, group, part);
	}
	append_list(text, size, outcome_word(end), &list);
}

void group_describe(const struct group *group, char *text, size_t size)
{
	struct list slow = {.count = 0}, retried = {.count = 0}, missing = {.count = 0};

	if (group->script)
		snprintf(text, size, "%zu run%s that one script started", group->runs, group->runs == 1 ? "" : "s");
	else
		snprintf(text, size, "%zu run%s on %zu machine%s", group->runs, group->runs == 1 ? "" : "s",
			group->host_count, group->host_count == 1 ? "" : "s");
	if (number_known(group->of))
		units_append(text, size, ", of %.0f ranks", group->of);
	for (size_t i = 0; i < group->count; i++)
		if (group->parts[i].slow)
			add_part_name(&slow, group, &group->parts[i]);
	append_list(text, size, "slow", &slow);
	for (size_t i = 0; i < GROUP_ENDS; i++)
		append_ends(text, size, group, group_ends[i]);
	for (size_t i = 0; i < group->count; i++)
		if (group->parts[i].retried)
			add_part_name(&retried, group, &group->parts[i]);
	append_list(text, size, "retried", &retried);
	for (size_t i = 0; i < group->missing_count; i++)
		add_name(&missing, units_count(group->missing[i]).text, "");
	append_list(text, size, "no run", &missing);
	if (group->silent_steps > 0)
		units_append(text, size, "; %zu step%s left no run, so all figures are lower bounds",
			group->silent_steps, group->silent_steps == 1 ? "" : "s");
}

static bool is_named_before(const struct group *group, size_t i)
{
	for (size_t k = 0; k < i; k++)
		if (strcmp(group->parts[k].run.job, group->parts[i].run.job) == 0)
			return true;
	return false;
}

void group_name_script(const struct group *group, char *text, size_t size)
{
	size_t named = 0;

	*text = '\0';
	for (size_t i = 0; i < group->count; i++) {
		const char *job = group->parts[i].run.job;
		if (!is_named_before(group, i)) {
			if (*text && strlen(text) + strlen(job) > NAMES_WIDTH)
				break;
			struct text cut = utf8_cut(text_of(job), NAME_MOST);
			units_append(text, size, "%s%.*s", *text ? ", " : "", (int)cut.length, cut.data);
		}
		named++;
	}
	if (named < group->count)
		units_append(text, size, ", +%zu", group->count - named);
}

/* -- JSON ------------------------------------------------------------------------------------------ */

static cJSON *parts_json(const struct group *group)
{
	cJSON *list = cJSON_CreateArray();

	for (size_t i = 0; i < group->count; i++) {
		const struct group_part *part = &group->parts[i];
		cJSON *object = cJSON_CreateObject();
		cJSON_AddStringToObject(object, "id", part->run.id);
		json_add_number(object, "rank", part->rank, 0);
		cJSON_AddStringToObject(object, "host", part->run.host);
		cJSON_AddStringToObject(object, "status", part->run.status);
		cJSON_AddBoolToObject(object, "out_of_memory", part->died);
		cJSON_AddBoolToObject(object, "counted", !part->within);
		cJSON_AddBoolToObject(object, "slow", part->slow);
		cJSON_AddBoolToObject(object, "retried", part->retried);
		if (!part->again)
			totals_write_json(&part->totals, cJSON_AddObjectToObject(object, "totals"));
		cJSON_AddItemToArray(list, object);
	}
	return list;
}

static cJSON *hosts_json(const struct group *group)
{
	cJSON *list = cJSON_CreateArray();

	for (size_t i = 0; i < group->host_count; i++) {
		const struct group_host *host = &group->hosts[i];
		cJSON *object = cJSON_CreateObject();
		cJSON_AddStringToObject(object, "host", host->name);
		cJSON_AddNumberToObject(object, "members", (double)host->parts);
		json_add_number(object, "cpu_seconds", host->cpu_seconds, 6);
		json_add_number(object, "peak_memory_mib", host->peak_memory_mib, 3);
		json_add_number(object, "vcpus", host->vcpus, 2);
		json_add_number(object, "memory_mib", host->machine_memory_mib, 3);
		json_add_number(object, "net_recv_bytes", host->received_bytes, 0);
		json_add_number(object, "net_sent_bytes", host->sent_bytes, 0);
		json_add_number(object, "clock_ahead_seconds", host->clock_ahead, 3);
		cJSON_AddItemToArray(list, object);
	}
	return list;
}

void group_write_json(const struct group *group, cJSON *json)
{
	json_add_number(json, "start_time", group->start_time, 3);
	json_add_number(json, "stop_time", group->stop_time, 3);
	json_add_number(json, "start_spread_seconds", group->start_spread, 3);
	json_add_number(json, "stop_spread_seconds", group->stop_spread, 3);
	json_add_number(json, "clock_skew_seconds", group->clock_skew, 3);
	cJSON *imbalance = cJSON_AddObjectToObject(json, "imbalance");
	json_add_number(imbalance, "cpu_seconds", group->imbalance.cpu, 4);
	json_add_number(imbalance, "peak_memory_mib", group->imbalance.memory, 4);
	json_add_number(imbalance, "wall_seconds", group->imbalance.time, 4);
	json_add_number(json, "of", group->of, 0);
	cJSON *missing = cJSON_AddArrayToObject(json, "missing_ranks");
	for (size_t i = 0; i < group->missing_count; i++)
		cJSON_AddItemToArray(missing, cJSON_CreateNumber(group->missing[i]));
	json_add_number(json, "silent_steps", (double)group->silent_steps, 0);
	cJSON_AddItemToObject(json, "hosts", hosts_json(group));
	cJSON_AddItemToObject(json, "members", parts_json(group));
}
