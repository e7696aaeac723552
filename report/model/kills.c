/* SPDX-License-Identifier: Apache-2.0 */
/* Finds the process that the kernel killed for lack of memory in a run's control group. */
#include "report/model/shortage.h"

#include "core/number.h"
#include "report/say/array.h"

#include <math.h>
#include <signal.h>

/* seconds; a parent that fails because its child was killed fails within this time */
static const double SOON = 1;
/* seconds; the last count of kills is final if it was read this close to the run's end */
static const double LATE = 0.1;
/* share of the limit; a process with this much memory was certainly the largest */
static const double LARGE = 0.5;
/* MiB; peaks are rounded to three decimals, so equal peaks may differ by this much */
static const double SAME_PEAK = 0.002;

enum { ANCESTORS_MAX = 64 };

/* -- when ------------------------------------------------------------------------------------------ */

/* Returns the last known value of a column at or before `time`. */
static double value_at(const struct series *system, int column, double time)
{
	double value = UNKNOWN;

	for (size_t row = 0; row < system->rows && series_value(system, SYSTEM_timestamp, row) <= time; row++)
		value = known_first(series_value(system, column, row), value);
	return value;
}

/* Finds the time range of the kill from the rows in which the kernel's count of kills rose. If the kill ended the
 * root, the range extends to the end of the run, because the row with the new count may be older. */
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
	if (row == 0) /* no row has the new count, so the kill was in the last two intervals */
		for (size_t i = 0; i < system->rows; i++)
			if (series_value(system, SYSTEM_timestamp, i) < run->stop_time - 2 * run->interval)
				kills->from = series_value(system, SYSTEM_timestamp, i);
	if (by_oom)
		kills->to = known_larger(kills->to, run->stop_time);
}

/* Returns the limit at the time of the kill. This is the lower one of the limits before and after the kill, because
 * a lowered limit takes effect immediately. */
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

/* Evidence that a process was the victim: its peak, whether it died of SIGKILL, and whether its parent exited with
 * the status of a kill (137). The fields are compared in this order. */
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

/* Returns the peak of a process. If the process did not record its peak, this is the largest peak of its parent's
 * reaped children, unless the record of another process explains that peak. */
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

/* Returns whether a process may have ended between two times. If a tick found that the process no longer exists, it
 * may have ended up to one interval before that tick. */
static bool may_end_within(const struct process *process, const struct run *run, double from, double to)
{
	bool found = process->source == SOURCE_SAMPLER || process->source == SOURCE_NONE;
	double last = known_first(process->end_time, run->stop_time);
	double first = found ? last - run->interval : last;
	double slack = fmax(2 * run->interval, 0.5);

	if (!number_known(process->end_time))
		first = known_first(process->seen_time, process->start_time);
	/* the exit row of the root may be older than the end of the root */
	if (processes_is_root(process, run))
		last = known_larger(last, run->stop_time);
	return !number_known(from) || (!(last < from) && first <= to + slack);
}

/* Number of processes that may be the victim. `others` excludes the root. */
struct candidates {
	size_t count, others;
};

/* Returns the process with the strongest evidence, or NULL if there is none or if several are equal. */
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

/* If the root died of SIGKILL while the kernel's count of kills rose, run.json says that the kernel killed the root.
 * The victim may still have been a child. For example, `timeout` kills itself with SIGKILL after its child died of
 * SIGKILL. Returns the child if its peak was larger than the root's, and NULL if the victim is unknown. */
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
	/* The recorded peak of another process may be too low, because the process may have grown after the record.
	 * The root is therefore certain only if it was large or no other process is a candidate. */
	return large || !others ? root : NULL;
}

/* -- consequences ---------------------------------------------------------------------------------- */

/* Returns whether a process failed because another process was killed: its status is 137, or it failed within SOON
 * seconds after the kill. */
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

/* Returns whether a process may have reaped a child without a record. This is the case if the process recorded
 * nothing about its children, or a peak of its children that is larger than all other recorded peaks. */
static bool may_hide_child(const struct process *process, double recorded_mib)
{
	return !number_known(process->children_user_seconds) || process->children_peak_mib > recorded_mib + SAME_PEAK;
}

/* Returns whether the victim may be a process without a record, because rows are missing or a process may have had
 * children without a record. */
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
