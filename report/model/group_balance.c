/* SPDX-License-Identifier: Apache-2.0 */
/* Compares the parts of a group: imbalance, stragglers, missing ranks and clock offsets. */
#include "report/model/group.h"
#include "report/model/median.h"
#include "report/say/alloc.h"
#include "report/spool/choice.h"
#include "report/spool/unit.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double SLOW = 1.25, SLOW_SECONDS = 1;
enum { RANKS_MAX = 1 << 20 };

/* Returns the largest value divided by the mean, and stores the median in *median. */
static double compare_values(double *values, size_t count, double *median)
{
	double sum = 0, largest = UNKNOWN;

	for (size_t i = 0; i < count; i++) {
		sum += values[i];
		largest = known_larger(largest, values[i]);
	}
	*median = median_known(values, count);
	return sum > 0 ? largest / (sum / (double)count) : UNKNOWN;
}

static bool is_slow(double value, double median)
{
	return value > median * SLOW && value > median + SLOW_SECONDS;
}

static const char *group_of(const struct group_part *part)
{
	return json_string(part->run.json, "group");
}

/* Returns whether a part is compared with others. A run that includes other runs is not compared, because its figures
 * contain the figures of those runs. */
static bool is_compared(const struct group_part *part)
{
	return !part->around && !part->again;
}

/* Compares the parts [first, end), which have the same group name. Each step of a workflow unit has its own group
 * name and its own ranks. */
static void compare_ranks(struct group *group, size_t first, size_t end)
{
	double *values[3], median[3];
	size_t counts[3] = {0};
	double *space = xcalloc(3 * group->count, sizeof *space);

	for (int i = 0; i < 3; i++)
		values[i] = space + (size_t)i * group->count;
	for (size_t i = first; i < end; i++) {
		const struct totals *totals = &group->parts[i].totals;
		double of[] = {totals->cpu_seconds, totals->peak_memory_mib, totals->wall_seconds};
		for (int kind = 0; kind < 3 && is_compared(&group->parts[i]); kind++)
			if (number_known(of[kind]))
				values[kind][counts[kind]++] = of[kind];
	}
	double *const imbalance[] = {&group->imbalance.cpu, &group->imbalance.memory, &group->imbalance.time};
	for (int kind = 0; kind < 3; kind++)
		*imbalance[kind] =
			known_larger(*imbalance[kind], compare_values(values[kind], counts[kind], &median[kind]));
	for (size_t i = first; i < end; i++)
		group->parts[i].slow = is_compared(&group->parts[i]) &&
				       (is_slow(group->parts[i].totals.cpu_seconds, median[0]) ||
					       is_slow(group->parts[i].totals.wall_seconds, median[2]));
	free(space);
}

/* Compares the parts of each group name. Parts without a group name have no rank and are not compared. */
static void compare_parts(struct group *group)
{
	group->imbalance = (struct imbalance){UNKNOWN, UNKNOWN, UNKNOWN};
	for (size_t first = 0, end; first < group->count; first = end) {
		for (end = first + 1; end < group->count; end++)
			if (strcmp(group_of(&group->parts[end]), group_of(&group->parts[first])) != 0)
				break;
		if (*group_of(&group->parts[first]))
			compare_ranks(group, first, end);
	}
}

/* Finds the ranks without a run. Parts are sorted by rank. If the group has several steps, missing ranks are
 * unknown. */
static void find_missing(struct group *group)
{
	size_t at = 0;

	while (at < group->count && !*group_of(&group->parts[at]))
		at++;
	if (at < group->count && strcmp(group_of(&group->parts[at]), group_of(&group->parts[group->count - 1])) != 0) {
		group->several = true;
		group->of = UNKNOWN;
		return;
	}
	if (!(group->of >= 1 && group->of <= RANKS_MAX))
		return;
	group->missing = xcalloc((size_t)group->of, sizeof *group->missing);
	for (int rank = 0; rank < (int)group->of; rank++) {
		while (at < group->count && group->parts[at].rank < rank)
			at++;
		if (at == group->count || group->parts[at].rank != rank)
			group->missing[group->missing_count++] = rank;
	}
}

/* -- steps without a run --------------------------------------------------------------------------- */

static const char *step_of(const struct run *run)
{
	return run_label(run, "slurm_step_id");
}

/* Returns whether a part is the first one of its step. */
static bool begins_step(const struct group *group, size_t part)
{
	const struct run *run = &group->parts[part].run;

	for (size_t i = 0; i < part; i++)
		if (strcmp(step_of(&group->parts[i].run), step_of(run)) == 0 &&
			strcmp(group_of(&group->parts[i]), group_of(&group->parts[part])) == 0)
			return false;
	return *step_of(run) != '\0';
}

/* Each srun command of the script begins a step. The library leaves a run for each step whose program loads it. */
static void find_silent_steps(struct group *group)
{
	size_t begun = 0, tracked = 0;

	for (size_t i = 0; i < group->count; i++) {
		const struct group_part *part = &group->parts[i];
		tracked += begins_step(group, i);
		if (part->within || !unit_is_slurm(&part->run))
			continue;
		for (size_t k = 0; group->processes.count > 0 && k < part->process_count; k++) {
			const struct process *process = &group->processes.items[part->first_process + k];
			/* srun forks a process that watches over it. */
			begun += process->exe && !process->forked &&
				 text_is(text_basename(text_of(process->exe)), "srun");
		}
	}
	if (begun <= tracked)
		return;
	group->silent_steps = begun - tracked;
	group->totals.exact = group->totals.exact_cpu = group->totals.exact_memory = group->totals.exact_processes = 0;
	group->totals.missing_cpu_seconds_at_most = UNKNOWN;
	group->totals.peak_memory_at_most_mib = UNKNOWN;
}

/* -- clocks ---------------------------------------------------------------------------------------- */

/* Returns how many seconds the clock of a machine may be ahead. `start` and `stop` are the seconds by which the machine
 * seems to start and to end later than the others. A wrong clock shifts both times by the same amount. The result is
 * therefore the smaller shift, or 0 if the shifts have different signs. */
static double off_alike(double start, double stop)
{
	if (!(start * stop > 0))
		return number_known(start * stop) ? 0 : UNKNOWN;
	return fabs(start) < fabs(stop) ? start : stop;
}

static void compare_clocks(struct group *group)
{
	const struct group_host *first = group->hosts;

	for (size_t i = 0; i < group->host_count; i++) {
		struct group_host *host = &group->hosts[i];
		host->clock_ahead = off_alike(host->start_time - first->start_time, host->stop_time - first->stop_time);
		if (i > 0)
			group->clock_skew = known_larger(group->clock_skew, fabs(host->clock_ahead));
	}
}

/* -- all ------------------------------------------------------------------------------------------- */

static bool is_of_script(const struct group *group)
{
	struct script script = {.name = ""};

	for (size_t i = 0; i < group->count; i++) {
		script_of(&script, &group->parts[i].run);
		if (strcmp(script.name, group->id) != 0)
			return false;
	}
	return group->count > 0;
}

void group_balance(struct group *group)
{
	group->script = is_of_script(group);
	find_silent_steps(group);
	if (group->script)
		return;
	compare_clocks(group);
	compare_parts(group);
	find_missing(group);
}

const enum outcome group_ends[] = {OUTCOME_OUT_OF_MEMORY, OUTCOME_OUT_OF_TIME, OUTCOME_KILLED, OUTCOME_FAILED,
	OUTCOME_INTERRUPTED, OUTCOME_UNKNOWN};

void group_rank_name(const struct group *group, const struct group_part *part, char name[GROUP_RANK_SIZE])
{
	const char *of = group_of(part), *step = strrchr(of, '.') ? strrchr(of, '.') + 1 : of;

	*name = '\0';
	if (number_known(part->rank))
		snprintf(name, GROUP_RANK_SIZE, "%.40s%s%.0f", group->several ? step : "", group->several ? "." : "",
			part->rank);
}

const char *group_part_end(const struct group_part *part)
{
	return part->outcome == OUTCOME_FINISHED ? "" : outcome_word(part->outcome);
}
