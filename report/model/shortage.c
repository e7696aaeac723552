/* Whether a run had too little memory; see shortage.h. */
#include "report/model/shortage.h"

#include "core/number.h"
#include "report/model/kills.h"

#include <signal.h>
#include <string.h>

static const double NEARLY_ALL = 0.95; /* of a limit: sampling may miss the last of it */
static const double KILLED_FROM = 0.8; /* of a limit, for a job that was killed: growth may be quicker than ticks */

uint64_t shortage_columns(enum table_id table)
{
	return table == TABLE_system
		       ? SERIES_COLUMN(SYSTEM_cgroup_memory_mib) | SERIES_COLUMN(SYSTEM_cgroup_memory_limit_mib) |
				 SERIES_COLUMN(SYSTEM_cgroup_kept_mib) | SERIES_COLUMN(SYSTEM_cgroup_oom_kills)
		       : 0;
}

/* Of a run in which the kernel killed somebody it is the limit of that time: it may have been another before. One that
 * is no less than the machine's memory is none. */
static double group_limit(const struct run *run, const struct model *model)
{
	struct kills kills = kills_find(run, &model->processes, &model->system);
	double limit = known_first(
		kills.of_run ? kills.limit_mib : UNKNOWN, series_max(&model->system, SYSTEM_cgroup_memory_limit_mib));

	return limit > 0 && !(limit >= run->machine_memory_mib) ? limit : UNKNOWN;
}

/* Whether so much of the group's own limit was charged to it. Of a group without one this says nothing: others may be
 * in it, and what this job asked for is no bound of theirs. */
static bool group_reached(const struct run *run, const struct model *model, double share)
{
	return series_max(&model->system, SYSTEM_cgroup_memory_mib) >= group_limit(run, model) * share;
}

double shortage_charged_limit(const struct run *run, const struct model *model)
{
	return group_reached(run, model, NEARLY_ALL) ? group_limit(run, model) : UNKNOWN;
}

double shortage_needed(const struct run *run, const struct model *model)
{
	bool own = run->cgroup_shared == 0 && number_known(group_limit(run, model));
	double kept = own ? series_max(&model->system, SYSTEM_cgroup_kept_mib) : UNKNOWN;

	return known_larger(model->totals.peak_memory_mib, kept);
}

double shortage_own_limit(const struct run *run, const struct model *model)
{
	double limit = group_limit(run, model);
	double others[] = {run->limit_memory_mib, ulimit_find(run, &model->processes).limit_mib};

	for (size_t i = 0; i < ARRAY_LENGTH(others); i++)
		if (!(limit <= others[i]))
			limit = known_first(others[i], limit);
	return limit > 0 && !(limit >= run->machine_memory_mib) ? limit : UNKNOWN;
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

/* Nobody saw the end of a machine, nor which signal ended a root that no sampler outlived: what counts kills had gone
 * with its control group, which schedulers remove at once. */
static bool ended_silently(const struct run *run)
{
	return strcmp(run->status, "interrupted") == 0 ||
	       (strcmp(run->status, "killed") == 0 && !(run->exit_signal > 0) && !number_known(run->exit_code) &&
		       *run->limit == '\0');
}

enum shortage shortage_of(const struct run *run, const struct model *model, double limit_mib)
{
	double own = shortage_needed(run, model);

	if (strcmp(run->limit, "memory") == 0)
		return SHORTAGE_LIMIT;
	struct kills kills = kills_find(run, &model->processes, &model->system);
	if (kills.of_run)
		return SHORTAGE_OOM;
	if (ulimit_find(run, &model->processes).process)
		return SHORTAGE_ULIMIT;
	/* Whom rtrack-run killed for its time was not killed for its memory, nor whom another killed than the kernel,
	 * but for schedulers that look themselves who has more than he asked for. */
	bool signalled = run_was_killed_by(run, KILLER_SIGNAL) && !(own >= run_asked(run, "memory_mib"));
	bool otherwise = strcmp(run->limit, "seconds") == 0 || signalled;
	if (!otherwise && !kills.counted && any_killed(run, &model->processes) && own >= limit_mib * KILLED_FROM)
		return SHORTAGE_KILLED;
	if (!otherwise && ended_silently(run) &&
		(own >= limit_mib * KILLED_FROM || group_reached(run, model, KILLED_FROM)))
		return SHORTAGE_SILENT;
	return own >= limit_mib * NEARLY_ALL ? SHORTAGE_FILLED : SHORTAGE_NONE;
}

bool shortage_is_death(enum shortage shortage)
{
	return shortage != SHORTAGE_NONE && shortage != SHORTAGE_FILLED;
}

bool shortage_ended(const struct run *run, const struct model *model, enum shortage shortage)
{
	bool over = strcmp(run->status, "finished") != 0 && strcmp(run->status, "running") != 0;

	if (over && shortage == SHORTAGE_OOM)
		return kills_find(run, &model->processes, &model->system).ended_run;
	return over && shortage_is_death(shortage);
}

struct postmortem_question shortage_question(const struct run *run, const struct model *model)
{
	double asked = run_asked(run, "memory_mib");
	double wanted = asked < run->machine_memory_mib ? asked : UNKNOWN;
	double limit = known_first(known_first(shortage_own_limit(run, model), wanted), run->machine_memory_mib);
	enum shortage shortage = shortage_of(run, model, limit);

	return (struct postmortem_question){.died = shortage_ended(run, model, shortage),
		.counted = shortage == SHORTAGE_OOM,
		.met = shortage == SHORTAGE_ULIMIT ? ulimit_find(run, &model->processes)
						   : (struct ulimit){.limit_mib = UNKNOWN, .used_mib = UNKNOWN},
		.own_mib = shortage == SHORTAGE_LIMIT ? run->limit_memory_mib : UNKNOWN,
		.group_mib = group_limit(run, model),
		.wanted_mib = wanted,
		.largest_mib = model->totals.peak_process_memory_mib};
}

const char *shortage_describe(enum shortage shortage)
{
	static const char *const sentences[] = {
		[SHORTAGE_LIMIT] = "rtrack-run ended the job for more memory than",
		[SHORTAGE_ULIMIT] = "A process of the job failed with nearly all of",
		[SHORTAGE_OOM] = "The kernel killed a process for lack of memory at",
		[SHORTAGE_KILLED] = "The job, or a process of it, was killed (SIGKILL) near",
		[SHORTAGE_SILENT] = "The run ended without a word near",
		[SHORTAGE_FILLED] = "The job filled",
	};
	return sentences[shortage];
}
