/* SPDX-License-Identifier: Apache-2.0 */
/* The kernel's kills for lack of memory in a run's control group. */
#include "report/model/shortage.h"

#include "core/number.h"
#include "report/say/array.h"

#include <math.h>
#include <signal.h>

static const double SOON = 1;    /* seconds after a process's end within which its parent is expected to fail */
static const double LATE = 0.1;  /* seconds; the last count of kills is complete if it is read so near to the end */
static const double LARGE = 0.5; /* share of the limit; a process with that much memory was the largest */
static const double SAME_PEAK = 0.002; /* MiB; peaks are written with three decimals */

enum { ANCESTORS_MAX = 64 };

/* -- when ------------------------------------------------------------------------------------------ */

/* The last known value of a column at or before `time`. */
static double value_at(const struct series *system, int column, double time)
{
	double value = UNKNOWN;

	for (size_t row = 0; row < system->rows && series_value(system, SYSTEM_timestamp, row) <= time; row++)
		value = known_first(series_value(system, column, row), value);
	return value;
}

/* If the kill ended the root, a row written before the root's end may already have the new count. */
static void find_time(struct kills *kills, const struct run *run, const struct series *system)
{
	bool by_oom = run_was_killed_by(run, KILLER_OOM);
	size_t row = system->rows;

	while (row > 0 && !(series_value(system, SYSTEM_cgroup_oom_kills, row - 1) > 0))
		row--;
	kills->happened = by_oom || row > 0;
	if (!kills->happened)
		return;
	kills->to = row > 0 ? series_value(system, SYSTEM_timestamp, row - 1) : run->stop_time;
	kills->from = row > 1 ? series_value(system, SYSTEM_timestamp, row - 2) : run->start_time;
	if (row == 0) /* the row before the kill is one of the last two rows before the end */
		for (size_t i = 0; i < system->rows; i++)
			if (series_value(system, SYSTEM_timestamp, i) < run->stop_time - 2 * run->interval)
				kills->from = series_value(system, SYSTEM_timestamp, i);
	if (by_oom)
		kills->to = known_larger(kills->to, run->stop_time);
}

/* A lowered limit takes effect at once, so the lower of the limits before and after the kill counts. */
static double limit_at(const struct kills *kills, const struct series *system)
{
	double before = value_at(system, SYSTEM_cgroup_memory_limit_mib, kills->from);
	double after = value_at(system, SYSTEM_cgroup_memory_limit_mib, kills->to);
	double last = series_last(system, SYSTEM_cgroup_memory_limit_mib);

	return before < after ? before : known_first(known_first(after, before), last);
}

static bool is_counted(const struct run *run, const struct series *system)
{
	double time = UNKNOWN;

	for (size_t row = 0; row < system->rows; row++)
		if (number_known(series_value(system, SYSTEM_cgroup_oom_kills, row)))
			time = series_value(system, SYSTEM_timestamp, row);
	return time >= run->stop_time - LATE;
}

/* -- which process --------------------------------------------------------------------------------- */

static bool is_silent(const struct process *process)
{
	return !process->exact && !number_known(process->exit_code) && !number_known(process->exit_signal);
}

static bool may_be_killed(const struct process *process)
{
	return process->exit_signal == SIGKILL || is_silent(process);
}

static double largest_recorded(const struct processes *processes)
{
	double largest = UNKNOWN;

	for (size_t i = 0; i < processes->count; i++)
		largest = known_larger(largest, process_best_usage(&processes->items[i]).peak_memory_mib);
	return largest;
}

/* Evidence that a process was the victim, compared in this order: its peak, death by SIGKILL, and a parent that passed
 * on the status of a kill. `recorded_mib` is the largest peak of any record. */
struct marks_of_kill {
	double peak_mib;
	double by_signal, passed_on;
};

static struct marks_of_kill marks_of_kill(const struct process *process, double recorded_mib)
{
	const struct process *parent = process_last_parent(process);
	double own = process_best_usage(process).peak_memory_mib;
	bool told = parent && !process->exact_peak && parent->children_peak_mib > recorded_mib + SAME_PEAK;

	return (struct marks_of_kill){.peak_mib = told ? parent->children_peak_mib : own,
		.by_signal = process->exit_signal == SIGKILL,
		.passed_on = parent && parent->exit_code == 128 + SIGKILL};
}

/* The peak of a process. If it is unknown, it is the peak of the largest child that its parent reaped, unless that peak
 * belongs to another process. */
static double peak_of(const struct processes *processes, const struct process *process)
{
	return marks_of_kill(process, largest_recorded(processes)).peak_mib;
}

static int compare(struct marks_of_kill a, struct marks_of_kill b)
{
	double pairs[][2] = {{known_first(a.peak_mib, 0), known_first(b.peak_mib, 0)}, {a.by_signal, b.by_signal},
		{a.passed_on, b.passed_on}};

	for (size_t i = 0; i < ARRAY_LENGTH(pairs); i++)
		if (pairs[i][0] != pairs[i][1])
			return ORDER(pairs[i][0], pairs[i][1]);
	return 0;
}

/* Whether a process may have ended between two times. A process that a tick found missing may have ended up to one tick
 * earlier. */
static bool may_end_within(const struct process *process, const struct run *run, double from, double to)
{
	bool found = process->source == SOURCE_SAMPLER || process->source == SOURCE_NONE;
	double last = known_first(process->end_time, run->stop_time);
	double first = found ? last - run->interval : last;
	double slack = fmax(2 * run->interval, 0.5);

	if (!number_known(process->end_time))
		first = known_first(process->seen_time, process->start_time);
	if (processes_is_root(process, run)) /* the root's row may have been written some time before its end */
		last = known_larger(last, run->stop_time);
	return !number_known(from) || (!(last < from) && first <= to + slack);
}

/* The processes that may be the victim, and how many of them are not the root. */
struct candidates {
	size_t count, others;
};

/* Returns the process with the strongest evidence, or NULL if none or unknown. */
static const struct process *choose(
	const struct run *run, const struct processes *processes, double from, double to, struct candidates *candidates)
{
	double recorded = largest_recorded(processes);
	const struct process *best = NULL;
	struct marks_of_kill most = {0};
	bool alone = true;

	*candidates = (struct candidates){0};
	for (size_t i = 0; i < processes->count; i++) {
		const struct process *process = &processes->items[i];
		if (!may_be_killed(process) || !may_end_within(process, run, from, to))
			continue;
		candidates->count++;
		candidates->others += !processes_is_root(process, run);
		struct marks_of_kill marks = marks_of_kill(process, recorded);
		int order = best ? compare(marks, most) : 1;
		alone = order > 0 || (alone && order < 0);
		if (order > 0) {
			best = process;
			most = marks;
		}
	}
	return alone ? best : NULL;
}

const struct process *kills_largest(const struct run *run, const struct processes *processes)
{
	struct candidates candidates;
	return choose(run, processes, UNKNOWN, UNKNOWN, &candidates);
}

/* run.json blames the kernel if the root died of SIGKILL while the kernel's count rose. The victim may have been a
 * child instead: one with a known larger peak, or the child of `timeout`, which kills itself by SIGKILL after its child
 * died of it. If no process had much memory and another process qualifies, the victim is unknown. */
static const struct process *prefer_root(const struct run *run, const struct processes *processes,
	const struct kills *kills, const struct process *victim, bool others)
{
	const struct process *root = run_was_killed_by(run, KILLER_OOM) ? processes_root(processes, run) : NULL;
	double victims = victim && root ? peak_of(processes, victim) : UNKNOWN;
	double roots = root ? peak_of(processes, root) : UNKNOWN;

	if (!root || victims > roots)
		return victim;
	if (victim != root && number_known(victims) && !number_known(roots))
		return NULL;
	bool large = roots >= kills->limit_mib * LARGE;
	/* The last recorded peak of another process may date from an earlier program or from before it grew. */
	return large || !others ? root : NULL;
}

/* -- consequences ---------------------------------------------------------------------------------- */

/* Whether a process failed because another one was killed: its status is 137, or it failed soon after the kill. */
static bool follows(double status, double end, double kill)
{
	return status == 128 + SIGKILL || (!(status == 0) && end - kill <= SOON);
}

static bool has_ended_run(const struct kills *kills, const struct run *run)
{
	const struct process *process = kills->victim;
	double time = process && process->end_time < kills->to ? process->end_time : kills->to;
	double status = run->exit_signal > 0 ? 128 + run->exit_signal : run->exit_code;

	for (int generation = 0; process && generation < ANCESTORS_MAX; generation++) {
		const struct process *parent = process_last_parent(process);
		if (processes_is_root(process, run))
			return true;
		if (!parent || processes_is_root(parent, run))
			break;
		if (!follows(process_status(parent), parent->end_time, time))
			return false;
		time = parent->end_time;
		process = parent;
	}
	return follows(status, run->stop_time, time);
}

/* Whether an ended process may have reaped a child without a record: it recorded nothing about its children, or a peak
 * of theirs that no record explains. */
static bool may_hide_child(const struct process *process, double recorded_mib)
{
	return !number_known(process->children_user_seconds) || process->children_peak_mib > recorded_mib + SAME_PEAK;
}

/* Whether the victim may have no record, because rows are missing or a process may have had unrecorded children. */
static bool may_be_in_no_record(const struct run *run, const struct processes *processes)
{
	double recorded = largest_recorded(processes);

	if (run_was_killed_by(run, KILLER_OOM) || run->lacks_rows || processes->count == 0)
		return true;
	for (size_t i = 0; i < processes->count; i++)
		if (may_hide_child(&processes->items[i], recorded))
			return true;
	return false;
}

struct kills kills_find(const struct run *run, const struct processes *processes, const struct series *system)
{
	struct kills kills = {.from = UNKNOWN, .to = UNKNOWN, .limit_mib = UNKNOWN};
	struct candidates candidates;

	kills.counted = is_counted(run, system);
	find_time(&kills, run, system);
	if (!kills.happened)
		return kills;
	kills.limit_mib = limit_at(&kills, system);
	const struct process *victim = choose(run, processes, kills.from, kills.to, &candidates);
	kills.victim = prefer_root(run, processes, &kills, victim, candidates.others > 0);
	kills.of_run = candidates.count > 0 || may_be_in_no_record(run, processes);
	kills.ended_run = kills.of_run && has_ended_run(&kills, run);
	return kills;
}

bool kills_met_another(const struct kills *kills, const struct run *run)
{
	return run_was_killed_by(run, KILLER_OOM) && kills->victim && !processes_is_root(kills->victim, run);
}
