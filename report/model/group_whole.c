/* SPDX-License-Identifier: Apache-2.0 */
/* Presents a group as one run. */

#include "report/model/dynamic_code.h"
#include "report/model/group.h"
#include "report/say/alloc.h"
#include "report/spool/unit.h"

#include <stdio.h>
#include <string.h>

/* Verbs for one part and for several parts. */
static const char *const part_ends[OUTCOMES][2] = {
	[OUTCOME_OUT_OF_MEMORY] = {"ran out of memory", "ran out of memory"},
	[OUTCOME_OUT_OF_TIME] = {"ran out of time", "ran out of time"},
	[OUTCOME_KILLED] = {"was killed", "were killed"},
	[OUTCOME_FAILED] = {"failed", "failed"},
	[OUTCOME_INTERRUPTED] = {"was interrupted", "were interrupted"},
	[OUTCOME_UNKNOWN] = {"ended in an unknown way", "ended in an unknown way"},
};

static size_t gravity_of(const struct group_part *part)
{
	size_t at = 0;

	while (at < GROUP_ENDS && part->outcome != group_ends[at])
		at++;
	return at;
}

/* Formats "1 of 4 runs failed, 2 were killed". Counts only retried parts if `retried` is true, and otherwise only parts
 * that were not retried. The text `of` follows the first number. If all counted runs finished, or there is only one
 * run, the text is "". Returns the number of unfinished parts that were counted. */
static size_t describe_ends(const struct group *group, bool retried, const char *of, char *text, size_t size)
{
	size_t counts[GROUP_ENDS + 1] = {0}, all = 0;

	*text = '\0';
	for (size_t i = 0; i < group->count; i++)
		if (!group->parts[i].again && group->parts[i].retried == retried)
			counts[gravity_of(&group->parts[i])]++;
	for (size_t i = 0; i < GROUP_ENDS && group->runs > 1; i++) {
		if (counts[i] > 0)
			units_append(text, size, "%s%zu %s%s", *text ? ", " : "", counts[i], *text ? "" : of,
				part_ends[group_ends[i]][counts[i] > 1]);
		all += counts[i];
	}
	return all;
}

/* Sets the texts about the runs that did not finish. */
static void describe_all_ends(const struct group *group, struct run *run)
{
	char of[48], text[sizeof run->ends];

	snprintf(of, sizeof of, "of %zu runs ", group->runs);
	(void)describe_ends(group, false, of, run->ends, sizeof run->ends);
	size_t retried = describe_ends(group, true, *run->ends ? "more " : of, text, sizeof text);
	if (retried > 0)
		snprintf(run->retries, sizeof run->retries, "; %s%s", text,
			retried == 1 ? " and was retried" : "; all of these were retried");
}

/* Returns the position of a part in the order of severity. Retried parts come last. */
static size_t weight_of(const struct group_part *part)
{
	return part->retried ? GROUP_ENDS + 1 : gravity_of(part);
}

/* Returns the part that determines the group's outcome: a running part or, if none is running, the part with the most
 * severe outcome of all parts that were not retried. If several are equal, returns the one with the lowest rank. */
static const struct group_part *find_end(const struct group *group)
{
	const struct group_part *end = NULL;

	for (size_t i = 0; i < group->count; i++) {
		const struct group_part *part = &group->parts[i];
		if (part->within)
			continue;
		if (run_is_running(&part->run))
			return part;
		if (!end || weight_of(part) < weight_of(end))
			end = part;
	}
	return end;
}

/* Formats the name of the only machine, or the number of machines. */
static void describe_hosts(const struct group *group, char *text, size_t size)
{
	if (group->host_count == 1)
		snprintf(text, size, "%s", group->hosts[0].name);
	else
		snprintf(text, size, "%zu machines", group->host_count);
}

static double sum_of(const struct group *group, double (*value)(const struct group_host *))
{
	double sum = UNKNOWN;

	for (size_t i = 0; i < group->host_count; i++)
		known_add(&sum, value(&group->hosts[i]));
	return sum;
}

static double vcpus_of(const struct group_host *host)
{
	return host->vcpus;
}

static double memory_of(const struct group_host *host)
{
	return host->machine_memory_mib;
}

static void copy(cJSON *to, const cJSON *from, const char *key)
{
	cJSON *value = cJSON_Duplicate(cJSON_GetObjectItemCaseSensitive(from, key), true);
	if (value)
		cJSON_AddItemToObject(to, key, value);
}

static cJSON *make_json(const struct group *group, const struct group_part *end)
{
	cJSON *json = cJSON_CreateObject();
	cJSON *server = cJSON_CreateObject();
	const cJSON *first = group->parts[0].run.json;
	char hosts[200], names[200], title[UNIT_NAME_SIZE];

	describe_hosts(group, hosts, sizeof hosts);
	unit_title(group->id, &group->parts[0].run, title);
	cJSON_AddStringToObject(json, "id", group->id);
	cJSON_AddStringToObject(json, "group", group->id);
	group_name_script(group, names, sizeof names);
	cJSON_AddStringToObject(json, "job", group->script ? names : *title ? title : group->parts[0].run.job);
	cJSON_AddStringToObject(json, "host", hosts);
	cJSON_AddStringToObject(json, "status", end->run.status);
	json_add_number(json, "start_time", group->start_time, 3);
	json_add_number(json, "stop_time", group->stop_time, 3);
	json_add_number(json, "exit_code", end->run.exit_code, 0);
	json_add_number(json, "exit_signal", end->run.exit_signal, 0);
	copy(json, end->run.json, "killed_by");
	if (!group->script && !*title)
		copy(json, first, "command");
	copy(json, first, "cwd");
	copy(json, first, "user");
	copy(json, first, "tracker");
	copy(json, first, "cloud");
	json_add_number(server, "vcpus", sum_of(group, vcpus_of), 2);
	json_add_number(server, "memory_mib", sum_of(group, memory_of), 3);
	copy(server, cJSON_GetObjectItemCaseSensitive(first, "server"), "os");
	cJSON_AddItemToObject(json, "server", server);
	return json;
}

/* Returns a text to use in place of the name of a run's directory, because a group has no directory. It contains no
 * slash. The caller must free it. */
static char *name_directory(const struct group *group)
{
	char *name = xasprintf("the group %s", group->id);

	for (char *at = name; (at = strchr(at, '/')); at++)
		*at = '_';
	return name;
}

/* Sums the code lines of all runs. The lines at the peak are not set, because each run has its own peak. */
static void make_code(struct code *code, const struct group *group, const struct processes *processes)
{
	struct code_rows rows = {0};

	for (size_t i = 0; i < group->count; i++)
		if (!group->parts[i].within)
			code_rows_add(&rows, &group->parts[i].run.files);
	if (group->count > 0)
		dynamic_code_resolve(&rows, processes, group->parts[0].run.cwd);
	code_make(code, &rows);
}

void whole_make(struct whole *whole, struct group *group, unsigned sections)
{
	const struct group_part *end = find_end(group);
	struct run *run = &whole->run;

	*whole = (struct whole){
		.run = {.directory = name_directory(group), .files = FILES_NONE, .json = make_json(group, end)}};
	run->id = json_string(run->json, "id");
	run->job = json_string(run->json, "job");
	run->host = json_string(run->json, "host");
	run->user = json_string(run->json, "user");
	run->cwd = json_string(run->json, "cwd");
	run->status = json_string(run->json, "status");
	run->start_time = group->start_time;
	run->stop_time = run_is_running(run) ? UNKNOWN : group->stop_time;
	run->interval = group->sum.interval;
	run->exit_code = end->run.exit_code;
	run->exit_signal = end->run.exit_signal;
	run->limit = end->run.limit;
	run->limit_memory_mib = UNKNOWN; /* the group has no such limit, because each part had its own limit */
	run->limit_seconds = end->run.limit_seconds;
	run->lacked_memory = end->outcome == OUTCOME_OUT_OF_MEMORY;
	for (size_t i = 0; i < group->count; i++) {
		run->lacks_rows |= group->parts[i].run.lacks_rows;
		run->lacks_room |= group->parts[i].run.lacks_room;
		run->lacks_unknown |= group->parts[i].run.lacks_unknown;
		run->lacks_library |= group->parts[i].run.lacks_library;
		run->lacks_slow |= group->parts[i].run.lacks_slow;
		run->lacks_ticks |= group->parts[i].run.lacks_ticks;
		run->launched |= group->parts[i].run.launched;
	}
	if (!run_is_running(run))
		describe_all_ends(group, run);
	run->vcpus = run->cpus = sum_of(group, vcpus_of);
	run->machine_memory_mib = sum_of(group, memory_of);
	run->cgroup_seconds = run->cgroup_shared = run->reaped_peak_mib = UNKNOWN;
	whole->model = (struct model){.run = run,
		.group = group,
		.process = group->sum.series,
		.system = group->machine.series,
		.processes = group->processes,
		.totals = group->totals,
		.efficiency = group->efficiency,
		.asked = group->asked};
	group->sum.series = group->machine.series = (struct series){0};
	group->processes = (struct processes){0};
	if (sections & MODEL_LINES)
		make_code(&whole->model.code, group, &whole->model.processes);
	model_of_many(&whole->model, sections);
}

void whole_free(struct whole *whole)
{
	model_free(&whole->model);
	run_close(&whole->run);
	*whole = (struct whole){0};
}
