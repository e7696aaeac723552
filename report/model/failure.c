/* SPDX-License-Identifier: Apache-2.0 */
/* Finds the process that made a run fail. */
#define _GNU_SOURCE
#include "report/model/failure.h"

#include "report/say/utf8.h"

#include <math.h>
#include <signal.h>
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

/* Returns the CPU time of a process. If no tick saw the end of the process, the CPU time of its parent's reaped
 * children minus the CPU time of their records is larger than the CPU time in its own record. */
static double find_cpu_seconds(const struct processes *processes, const struct process *process)
{
	const struct process *parent = process_last_parent(process);
	double rest = parent ? parent->children_user_seconds + parent->children_system_seconds : UNKNOWN;

	for (size_t i = 0; i < processes->count && number_known(rest); i++) {
		const struct process *other = &processes->items[i];
		if (other != process && process_last_parent(other) == parent)
			rest -= process_cpu_seconds(other) + known_first(other->children_user_seconds, 0) +
				known_first(other->children_system_seconds, 0);
	}
	return fmax(process_cpu_seconds(process), known_first(rest, 0));
}

/* Returns the signal that ended a process, or UNKNOWN. If a signal N ends the last command of a shell, the shell ends
 * with status 128 + N. The status of a shell therefore replaces a status that its child did not record. */
static double find_signal(const struct process *process)
{
	const struct process *parent = process_last_parent(process);
	bool is_unknown = !number_known(process->exit_code) && !number_known(process->exit_signal);

	if (is_unknown && parent && is_shell(parent) && parent->exit_code > 128)
		return parent->exit_code - 128;
	return process->exit_signal;
}

/* Returns whether a process ended at its limit of CPU time (ulimit -t). The kernel sends SIGXCPU at the soft limit and
 * SIGKILL at the hard limit. A process has the limit of its parent unless it set another one, so the limit of the
 * parent is used if the limit of the process was not read. */
static bool is_at_cpu_limit(const struct processes *processes, const struct process *process)
{
	const struct process *parent = process_last_parent(process);
	double limit = known_first(process->cpu_limit_seconds, parent ? parent->cpu_limit_seconds : UNKNOWN);
	double signal = find_signal(process);

	return process->exit_signal == SIGXCPU ||
	       ((signal == SIGXCPU || signal == SIGKILL) &&
		       process_is_at_cpu_limit(limit, find_cpu_seconds(processes, process), SIGKILL));
}

/* Returns whether a child may have made its parent fail. */
static bool is_cause(const struct processes *processes, const struct process *parent, const struct process *child)
{
	if (has_failed(child))
		return !is_shell(parent) || process_status(child) == process_status(parent);
	return is_at_cpu_limit(processes, child);
}

static const struct process *find_child(const struct processes *processes, const struct process *parent)
{
	const struct process *found = NULL;

	for (size_t i = 0; i < processes->count; i++) {
		const struct process *child = &processes->items[i];
		if (child == parent || process_last_parent(child) != parent || is_helper(child))
			continue;
		if (is_cause(processes, parent, child) && (!found || child->end_time > found->end_time))
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

const char *failure_describe(const struct process *failed, const struct processes *processes, const struct parts *parts,
	char text[FAILURE_SIZE])
{
	*text = '\0';
	if (!failed)
		return text;
	const char *command = failed->command ? failed->command : failed->exe ? failed->exe : "(unknown)";
	const struct part *part = find_part(parts, failed->end_time);
	char how[64];
	if (is_at_cpu_limit(processes, failed))
		snprintf(how, sizeof how, "reached its limit of CPU time (ulimit -t)");
	else
		snprintf(how, sizeof how,
			failed->exit_signal > 0 ? "was ended by signal %.0f" : "ended with status %.0f",
			failed->exit_signal > 0 ? failed->exit_signal : failed->exit_code);
	struct text shown = utf8_cut(text_of(command), COMMAND_SHOWN);
	snprintf(text, FAILURE_SIZE, "`%.*s%s` %s%s%.100s", (int)shown.length, command,
		command[shown.length] ? "..." : "", how, part ? " in part " : "", part ? part->name : "");
	return text;
}

cJSON *failure_json(const struct process *failed, const struct processes *processes, const struct parts *parts)
{
	if (!failed)
		return cJSON_CreateNull();
	cJSON *object = cJSON_CreateObject();
	const struct part *part = find_part(parts, failed->end_time);
	json_add_number(object, "pid", failed->id.pid, 0);
	cJSON_AddStringToObject(object, "command", failed->command ? failed->command : "");
	json_add_number(object, "exit_code", failed->exit_code, 0);
	json_add_number(object, "exit_signal", failed->exit_signal, 0);
	cJSON_AddBoolToObject(object, "at_cpu_limit", is_at_cpu_limit(processes, failed));
	cJSON_AddStringToObject(object, "part", part ? part->name : "");
	return object;
}
