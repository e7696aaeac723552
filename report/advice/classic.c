/* SPDX-License-Identifier: Apache-2.0 */
/* The predecessor's rule. */
#include "report/advice/classic.h"

#include "core/number.h"
#include "report/history/history.h"
#include "report/say/alloc.h"
#include "report/say/units.h"

#include <stdlib.h>
#include <string.h>

static const double LIMIT_FACTOR = 1.5;
static const double NEAR = 0.8; /* A run that died below this share of the machine's memory had a smaller limit. */

static const char classic_text[] = "mean CPU usage, rounded; peak memory plus 20 %, rounded up";

/* -- the rule -------------------------------------------------------------------------------------- */

static void apply_rule(struct resources *resources, const struct stats *stats, double peak_memory_mib)
{
	const struct statistic *gpu = &stats->of[STAT_process_gpu_usage];

	*resources = resources_by_rule(stats->of[STAT_process_cpu_usage].mean, peak_memory_mib,
		gpu->mean > 0 ? gpu->max : 0, stats->of[STAT_process_gpu_vram_mib].max);
}

/* Combines the statistics of the history and this run, which is last in `runs`. Peaks come from all runs. If this run
 * did not finish, means come from the history alone, which has only finished runs. */
static void combine(struct stats *stats, const struct stats *runs, size_t count, bool finished)
{
	struct stats ended;

	stats_combine(stats, runs, count);
	if (finished || count == 1)
		return;
	stats_combine(&ended, runs, count - 1);
	for (size_t i = 0; i < STAT_COUNT; i++)
		stats->of[i].mean = ended.of[i].mean;
}

/* -- limits ---------------------------------------------------------------------------------------- */

struct limit {
	double mib;
	const char *name;
	bool of_group;
};

static struct limit memory_limit(const struct model *model)
{
	double group = model->shortage.own_limit_mib;

	if (number_known(group))
		return (struct limit){group, "its limit", true};
	return (struct limit){model->run->machine_memory_mib, "the machine's memory", false};
}

void classic_apply_limit(struct recommendation *recommendation, const struct model *model)
{
	struct limit limit = memory_limit(model);
	const char *why = shortage_describe(&model->shortage);
	double own = model->totals.peak_memory_mib;

	/* A run that died far below the machine's memory had a limit that could not be read, as in some containers. The
	 * peak of the run is then the best estimate of the limit. */
	if (why && !limit.of_group && !(own >= limit.mib * NEAR))
		limit = (struct limit){own, "its peak", false};
	if (why) {
		recommendation->resources.memory_mib = known_larger(
			recommendation->resources.memory_mib, resources_round_memory(limit.mib * LIMIT_FACTOR));
		recommend_note(recommendation, "%s %s, %s: the request is at least 1.5 times as much.", why, limit.name,
			units_figure(UNIT_mib, limit.mib).text);
	} else {
		recommend_note_cache(recommendation, model);
	}
}

/* -- the recommendation ---------------------------------------------------------------------------- */

void classic_make(struct recommendation *recommendation, const struct model *model, size_t history_runs)
{
	struct history history;
	struct stats stats;

	recommendation->rule = classic_text;
	history_read(&history, model->run, history_runs);
	struct stats *runs = xcalloc(history.count + 1, sizeof *runs);
	if (history.count > 0)
		memcpy(runs, history.runs, history.count * sizeof *runs);
	runs[history.count] = model->stats;
	struct statistic *cpu = &runs[history.count].of[STAT_process_cpu_usage];
	cpu->mean = known_first(cpu->mean, model->totals.mean_cpu_usage);
	combine(&stats, runs, history.count + 1, strcmp(model->run->status, "finished") == 0);
	apply_rule(&recommendation->resources, &stats,
		known_larger(known_larger(stats.of[STAT_process_memory_mib].max, model->shortage.needed_mib),
			history.peak_memory_mib));
	recommendation->runs = history.count + 1;
	free(runs);
	history_free(&history);
}
