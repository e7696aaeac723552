/* SPDX-License-Identifier: Apache-2.0 */
/* Finds the process that made a run fail. */
#define _GNU_SOURCE
#include "report/model/failure.h"

#include "report/say/utf8.h"

#include <stdio.h>
#include <string.h>

enum { COMMAND_SHOWN = 200 };
/* seconds by which a row may be later than the event that it records */
static const double AT_ONCE_SECONDS = 0.005;

static bool has_failed(const struct process *process)
{
	return process->exit_code > 0 || process->exit_signal > 0;
}

static bool is_shell(const struct process *process)
{
	static const char *const shells[] = {"sh", "bash", "dash", "ash", "zsh", "ksh", "fish", "busybox"};
	const char *name = process->exe ? strrchr(process->exe, '/') : NULL;

	for (size_t i = 0; name && i < ARRAY_LENGTH(shells); i++)
		if (strcmp(name + 1, shells[i]) == 0)
			return true;
	return false;
}

static bool is_helper(const struct process *process)
{
	const char *path = process->exe ? process->exe : "";

	return (strstr(path, "/lib/") || strstr(path, "/libexec/")) && !strstr(path, "/bin/");
}

static bool has_child_after(
	const struct processes *processes, const struct process *parent, const struct process *child)
{
	for (size_t i = 0; i < processes->count; i++) {
		const struct process *other = &processes->items[i];
		if (other != child && process_last_parent(other) == parent && other->start_time >= child->end_time)
			return true;
	}
	return false;
}

static const struct process *find_child(const struct processes *processes, const struct process *parent)
{
	const struct process *found = NULL;

	for (size_t i = 0; i < processes->count; i++) {
		const struct process *child = &processes->items[i];
		if (child == parent || process_last_parent(child) != parent || !has_failed(child) || is_helper(child))
			continue;
		bool passed = !is_shell(parent) || process_status(child) == process_status(parent);
		if (passed && (!found || child->end_time > found->end_time))
			found = child;
	}
	return found && !has_child_after(processes, parent, found) ? found : NULL;
}

const struct process *failure_find(const struct run *run, const struct processes *processes)
{
	const struct process *failed = NULL;
	double pid = json_double(run->json, "pid");

	if (!(run->exit_code > 0))
		return NULL;
	for (size_t i = 0; i < processes->count && !failed; i++)
		if (processes->items[i].id.pid == pid)
			failed = &processes->items[i];
	const struct process *root = failed;
	/* In damaged rows, processes may be parents of each other. The limit of the depth ends the loop in this
	 * case. */
	for (size_t depth = 0; failed && depth < processes->count; depth++) {
		const struct process *child = find_child(processes, failed);
		if (!child)
			break;
		failed = child;
	}
	return failed == root ? NULL : failed;
}

/* Returns the part that contains `time`, or NULL. If several parts contain it, returns the part that began last. */
static const struct part *find_part(const struct parts *parts, double time)
{
	const struct part *found = NULL;

	for (size_t i = 0; i < parts->count; i++) {
		const struct part *part = &parts->items[i];
		for (size_t j = 0; j < part->count; j++)
			if (part->stretches[j].start <= time && time <= part->stretches[j].stop + AT_ONCE_SECONDS)
				found = part;
	}
	return found;
}

const char *failure_describe(const struct process *failed, const struct parts *parts, char text[FAILURE_SIZE])
{
	*text = '\0';
	if (!failed)
		return text;
	const char *command = failed->command ? failed->command : failed->exe ? failed->exe : "(unknown)";
	const struct part *part = find_part(parts, failed->end_time);
	char how[64];
	snprintf(how, sizeof how, failed->exit_signal > 0 ? "was ended by signal %.0f" : "ended with status %.0f",
		failed->exit_signal > 0 ? failed->exit_signal : failed->exit_code);
	struct text shown = utf8_cut(text_of(command), COMMAND_SHOWN);
	snprintf(text, FAILURE_SIZE, "`%.*s%s` %s%s%.100s", (int)shown.length, command,
		command[shown.length] ? "..." : "", how, part ? " in part " : "", part ? part->name : "");
	return text;
}

cJSON *failure_json(const struct process *failed, const struct parts *parts)
{
	if (!failed)
		return cJSON_CreateNull();
	cJSON *object = cJSON_CreateObject();
	const struct part *part = find_part(parts, failed->end_time);
	json_add_number(object, "pid", failed->id.pid, 0);
	cJSON_AddStringToObject(object, "command", failed->command ? failed->command : "");
	json_add_number(object, "exit_code", failed->exit_code, 0);
	json_add_number(object, "exit_signal", failed->exit_signal, 0);
	cJSON_AddStringToObject(object, "part", part ? part->name : "");
	return object;
}
