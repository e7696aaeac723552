/* SPDX-License-Identifier: Apache-2.0 */
/* Finds the process that ended a run at a per-process memory limit. */
#include "report/model/shortage.h"

#include "core/number.h"

#include <signal.h>

enum { GENERATIONS_MAX = 64 };

/* Seconds. If a process freed its memory longer than this before its end, it had survived the failed allocation. */
static const double HANDLED = 0.1;
/* share of the limit that must be in use; the allocation that failed is not included */
static const double NEARLY_ALL = 0.9;

/* Returns whether a process failed by itself: with a nonzero status, or by a signal that a failed allocation can
 * cause. */
static bool has_failed(const struct process *process)
{
	static const int signals[] = {SIGABRT, SIGSEGV, SIGBUS, SIGTRAP, SIGILL};

	for (size_t i = 0; i < ARRAY_LENGTH(signals); i++)
		if (process->exit_signal == signals[i])
			return true;
	return process->exit_code > 0;
}

/* Returns whether a parent failed because of this child. The parent must have the status of the child, and no child
 * that ended later may have the same status. */
static bool passed_on(const struct processes *processes, const struct process *child, const struct process *parent)
{
	double status = process_status(child);

	if (process_status(parent) != status || !(child->end_time <= parent->end_time))
		return false;
	for (size_t i = 0; i < processes->count; i++) {
		const struct process *other = &processes->items[i];
		if (process_last_parent(other) == parent && other->end_time > child->end_time &&
			process_status(other) == status)
			return false;
	}
	return true;
}

/* Returns whether the failure of a process propagated to the root and ended the run. */
static bool ended_run(const struct run *run, const struct processes *processes, const struct process *process)
{
	for (int generation = 0; generation < GENERATIONS_MAX && has_failed(process); generation++) {
		const struct process *parent = process_last_parent(process);
		if (processes_is_root(process, run))
			return true;
		if (!parent || !passed_on(processes, process, parent))
			return false;
		process = parent;
	}
	return false;
}

/* Returns whether a process continued after it had freed most of its memory. Such a process ended for another
 * reason. */
static bool has_recovered(const struct process *process)
{
	return process->let_go_time < process->end_time - HANDLED;
}

/* Returns how much of one of its two limits a process used. */
static struct ulimit measure(const struct process *process, bool of_data)
{
	double peak = process_best_usage(process).peak_memory_mib;

	return (struct ulimit){process, of_data, of_data ? process->data_limit_mib : process->address_space_limit_mib,
		of_data ? peak : known_larger(process->address_space_mib, peak)};
}

struct ulimit ulimit_find(const struct run *run, const struct processes *processes)
{
	struct ulimit found = {.process = NULL, .limit_mib = UNKNOWN, .used_mib = UNKNOWN};

	for (size_t i = 0; i < 2 * processes->count; i++) {
		struct ulimit met = measure(&processes->items[i / 2], i % 2 != 0);
		if (met.used_mib >= NEARLY_ALL * met.limit_mib && !(met.used_mib <= found.used_mib) &&
			!has_recovered(met.process) && ended_run(run, processes, met.process))
			found = met;
	}
	return found;
}
