/* SPDX-License-Identifier: Apache-2.0 */
/* Finds out whether a run had too little memory. */
#include "report/model/shortage.h"

#include "core/number.h"

#include <signal.h>
#include <string.h>

/* a limit counts as reached from this share, because sampling may miss some growth */
static const double NEARLY_ALL = 0.95;
/* If the job was killed, a limit counts as reached from this share, because memory can grow much between two ticks. */
static const double KILLED_FROM = 0.8;

uint64_t shortage_columns(enum table_id table)
{
	return table == TABLE_system
		       ? SERIES_COLUMN(SYSTEM_cgroup_memory_mib) | SERIES_COLUMN(SYSTEM_cgroup_memory_limit_mib) |
				 SERIES_COLUMN(SYSTEM_cgroup_kept_mib) | SERIES_COLUMN(SYSTEM_cgroup_oom_kills)
		       : 0;
}

/* Returns the limit, or UNKNOWN if it is not below the machine's memory. */
static double limit_below(const struct run *run, double limit_mib)
{
	return limit_mib > 0 && !(limit_mib >= run->machine_memory_mib) ? limit_mib : UNKNOWN;
}

/* Returns the limit of the control group. If the limit changed and the kernel killed a process, returns the limit at
 * the time of the kill. */
static double find_group_limit(const struct run *run, const struct series *system, const struct kills *kills)
{
	double most = series_max(system, SYSTEM_cgroup_memory_limit_mib);

	return limit_below(run, known_first(kills->of_run ? kills->limit_mib : UNKNOWN, most));
}

static double find_needed(const struct run *run, const struct series *system, double group_limit_mib, double peak_mib)
{
	bool own = run->cgroup_shared == 0 && number_known(group_limit_mib);

	return known_larger(peak_mib, own ? series_max(system, SYSTEM_cgroup_kept_mib) : UNKNOWN);
}

static double find_own_limit(const struct run *run, const struct ulimit *ulimit, double group_limit_mib)
{
	double limit = group_limit_mib, others[] = {run->limit_memory_mib, ulimit->limit_mib};

	for (size_t i = 0; i < ARRAY_LENGTH(others); i++)
		if (!(limit <= others[i]))
			limit = known_first(others[i], limit);
	return limit_below(run, limit);
}

static bool ended_by_kill(double exit_code, double exit_signal)
{
	return exit_signal == SIGKILL || exit_code == 128 + SIGKILL;
}

static bool any_killed(const struct run *run, const struct processes *processes)
{
	if (ended_by_kill(run->exit_code, run->exit_signal))
		return true;
	for (size_t i = 0; i < processes->count; i++)
		if (ended_by_kill(UNKNOWN, processes->items[i].exit_signal))
			return true;
	return false;
}

/* Returns whether the run ended without a recorded reason: the machine stopped, or an unknown signal ended the root.
 * The kernel's count of kills is then lost too, because schedulers remove the control group immediately. */
static bool ended_silently(const struct run *run)
{
	return strcmp(run->status, "interrupted") == 0 ||
	       (strcmp(run->status, "killed") == 0 && !(run->exit_signal > 0) && !number_known(run->exit_code) &&
		       *run->limit == '\0');
}

/* Returns whether the kernel may have killed the run after the last count of kills was read. Memory can grow to a limit
 * after the last tick. If the sampler died with the run, the last count is older than the end, although run.json has
 * the time of the last row as the end of the run. */
static bool may_have_died(const struct run *run, const struct kills *kills)
{
	bool sampler_died = run->exit_signal == SIGKILL && (!run->launched || run->lacks_unknown);
	bool killed = ended_by_kill(run->exit_code, run->exit_signal) && (sampler_died || !kills->counted);

	return strcmp(run->status, "finished") != 0 && !run_is_running(run) && (killed || ended_silently(run));
}

static enum shortage_kind find_kind(const struct run *run, const struct series *system,
	const struct processes *processes, const struct kills *kills, const struct ulimit *ulimit,
	const struct shortage *shortage)
{
	double needed = shortage->needed_mib, limit = known_first(shortage->limit_mib, run->machine_memory_mib);
	/* A control group without a limit is ignored, because other jobs may share it. */
	bool charged = series_max(system, SYSTEM_cgroup_memory_mib) >= shortage->group_limit_mib * KILLED_FROM;

	if (strcmp(run->limit, "memory") == 0)
		return SHORTAGE_LIMIT;
	if (kills->of_run || run_was_killed_by(run, KILLER_OOM))
		return SHORTAGE_OOM;
	if (ulimit->process)
		return SHORTAGE_ULIMIT;
	/* If rtrack-run killed the run at --max-seconds, or another process killed it, memory was not the cause.
	 * Schedulers are the exception: they kill jobs that exceed their requested memory. */
	bool signalled = run_was_killed_by(run, KILLER_SIGNAL) && !(needed >= run_asked(run, "memory_mib"));
	bool otherwise = strcmp(run->limit, "seconds") == 0 || run_was_killed_by(run, KILLER_CPU_LIMIT) || signalled;
	if (!otherwise && !kills->counted && any_killed(run, processes) && needed >= limit * KILLED_FROM)
		return SHORTAGE_KILLED;
	if (!otherwise && ended_silently(run) && (needed >= limit * KILLED_FROM || charged))
		return SHORTAGE_SILENT;
	if (needed >= limit * NEARLY_ALL)
		return SHORTAGE_FILLED;
	return !otherwise && may_have_died(run, kills) && number_known(shortage->limit_mib) ? SHORTAGE_MAYBE
											    : SHORTAGE_NONE;
}

struct shortage shortage_find(const struct run *run, const struct series *system, const struct processes *processes,
	const struct kills *kills, const struct ulimit *ulimit, double peak_mib)
{
	bool over = strcmp(run->status, "finished") != 0 && !run_is_running(run);
	double group = find_group_limit(run, system, kills);
	bool reached = series_max(system, SYSTEM_cgroup_memory_mib) >= group * NEARLY_ALL;
	struct shortage shortage = {
		.needed_mib = find_needed(run, system, group, peak_mib),
		.group_limit_mib = group,
		.charged_limit_mib = reached ? group : UNKNOWN,
		.group_kept_mib = series_last(system, SYSTEM_cgroup_kept_mib),
		.own_limit_mib = find_own_limit(run, ulimit, group),
		.wanted_mib = limit_below(run, run_asked(run, "memory_mib")),
	};

	shortage.limit_mib = known_first(shortage.own_limit_mib, shortage.wanted_mib);
	shortage.kind = find_kind(run, system, processes, kills, ulimit, &shortage);
	shortage.ended_run = over && (shortage.kind == SHORTAGE_OOM ? kills->ended_run : shortage_is_death(&shortage));
	return shortage;
}

bool shortage_is_death(const struct shortage *shortage)
{
	return shortage->kind != SHORTAGE_NONE && shortage->kind != SHORTAGE_FILLED && shortage->kind != SHORTAGE_MAYBE;
}

const char *shortage_describe(const struct shortage *shortage)
{
	static const char *const sentences[] = {
		[SHORTAGE_LIMIT] = "rtrack-run ended the job for more memory than",
		[SHORTAGE_ULIMIT] = "A process of the job failed with nearly all of",
		[SHORTAGE_OOM] = "A process ran out of memory at",
		[SHORTAGE_KILLED] = "The job, or a process of it, was killed (SIGKILL) near",
		[SHORTAGE_SILENT] = "The run ended without a word near",
		[SHORTAGE_FILLED] = "The job filled",
		[SHORTAGE_MAYBE] = NULL,
	};
	return sentences[shortage->kind];
}
