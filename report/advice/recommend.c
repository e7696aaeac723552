/* What to ask for the next time; see recommend.h. */
#include "report/advice/recommend.h"

#include "core/number.h"
#include "report/advice/split.h"
#include "report/history/history.h"
#include "report/say/units.h"

#include <errno.h>
#include <math.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

static const double LIMIT_FACTOR = 1.5;
static const double NEARLY_ALL = 0.95; /* of a limit: sampling may miss the last of it */
static const double KILLED_FROM = 0.8; /* of a limit, for a job that was killed: growth may be quicker than ticks */
static const double THROTTLED_WORTH = 0.05; /* of the time */

static const char rule[] = "mean CPU usage, rounded; peak memory plus 20 %, rounded up";

uint64_t recommend_columns(enum table_id table)
{
	uint64_t own = table == TABLE_system
			       ? SERIES_COLUMN(SYSTEM_cgroup_memory_mib) |
					 SERIES_COLUMN(SYSTEM_cgroup_memory_limit_mib) |
					 SERIES_COLUMN(SYSTEM_cpu_throttled) | SERIES_COLUMN(SYSTEM_cgroup_oom_kills)
			       : 0;
	return own | stats_columns(table);
}

void recommend_note(struct recommendation *recommendation, const char *format, ...)
{
	va_list arguments;

	if (recommendation->note_count == RECOMMEND_NOTES_MAX)
		return;
	va_start(arguments, format);
	vsnprintf(recommendation->notes[recommendation->note_count++], RECOMMEND_NOTE_SIZE, format, arguments);
	va_end(arguments);
}

/* -- the rule -------------------------------------------------------------------------------------- */

static void apply_rule(struct resources *resources, const struct stats *stats, double peak_memory_mib)
{
	const struct statistic *gpu = &stats->of[STAT_process_gpu_usage];

	*resources = resources_by_rule(stats->of[STAT_process_cpu_usage].mean, peak_memory_mib,
		gpu->mean > 0 ? gpu->max : 0, stats->of[STAT_process_gpu_vram_mib].max);
}

/* Means of those that finished, peaks of all. `runs` holds the history, then this run. */
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
	const char *whose;
	bool of_group;
};

static struct limit memory_limit(const struct run *run, const struct summary *summary)
{
	double group = series_max(&summary->system, SYSTEM_cgroup_memory_limit_mib);
	if (group > 0 && !(group >= run->machine_memory_mib))
		return (struct limit){group, "its limit", true};
	return (struct limit){run->machine_memory_mib, "the machine's memory", false};
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

/* Why the limit was too low, as the beginning of a sentence that goes on with the limit; NULL: it was not. */
static const char *shortage(const struct run *run, const struct summary *summary, double limit)
{
	double own = summary->totals.peak_memory_mib;
	double charged = series_max(&summary->system, SYSTEM_cgroup_memory_mib);

	if (series_sum(&summary->system, SYSTEM_cgroup_oom_kills) > 0)
		return "The kernel killed a process for lack of memory at";
	if (any_killed(run, &summary->processes) && own >= limit * KILLED_FROM)
		return "The job, or a process of it, was killed (SIGKILL) near";
	/* Its sampler went with it. */
	if (strcmp(run->status, "interrupted") == 0 && known_larger(own, charged) >= limit * KILLED_FROM)
		return "The run ended without a word near";
	return own >= limit * NEARLY_ALL ? "The job filled" : NULL;
}

static void heed_limit(struct recommendation *recommendation, const struct run *run, const struct summary *summary)
{
	struct limit limit = memory_limit(run, summary);
	const char *why = shortage(run, summary, limit.mib);
	double own = summary->totals.peak_memory_mib;

	/* The limit of a container may stand where it cannot be read; the machine's memory was not what was short. */
	if (why && !limit.of_group && !(own >= limit.mib * KILLED_FROM))
		limit = (struct limit){own, "its peak", false};
	if (why) {
		recommendation->resources.memory_mib = known_larger(
			recommendation->resources.memory_mib, resources_round_memory(limit.mib * LIMIT_FACTOR));
		recommend_note(recommendation, "%s %s, %s: the advice is at least 1.5 times as much.", why, limit.whose,
			units_figure(UNIT_mib, limit.mib).text);
	} else if (series_max(&summary->system, SYSTEM_cgroup_memory_mib) >= limit.mib * NEARLY_ALL) {
		recommend_note(recommendation,
			"With its page cache the job was at %s, %s: less memory may mean more reading from disk.",
			limit.whose, units_figure(UNIT_mib, limit.mib).text);
	}
}

/* -- notes ----------------------------------------------------------------------------------------- */

static void note_end(struct recommendation *recommendation, const struct run *run, bool others)
{
	const char *rests = others ? "its peaks count, its means do not" : "it may have needed more later";

	if (strcmp(run->status, "finished") == 0)
		return;
	if (strcmp(run->status, "running") == 0)
		recommend_note(recommendation, "This run has not ended: %s.", rests);
	else if (run->exit_signal > 0)
		recommend_note(recommendation, "Signal %.0f ended this run: %s.", run->exit_signal, rests);
	else if (run->exit_code > 0)
		recommend_note(recommendation, "This run failed with exit status %.0f: %s.", run->exit_code, rests);
	else
		recommend_note(recommendation, "How this run ended is not known: %s.", rests);
}

static void note_basis(struct recommendation *recommendation, const struct run *run, const struct summary *summary)
{
	double throttled = series_sum(&summary->system, SYSTEM_cpu_throttled);

	if (recommendation->runs == 1)
		recommend_note(recommendation, "This rests on one run: another may need more.");
	note_end(recommendation, run, recommendation->runs > 1);
	if (summary->totals.unseen > 0 && summary->totals.missing_seconds != 0 && run_ended(run))
		recommend_note(
			recommendation, "Not all processes were followed to their ends: figures are a lower bound.");
	if (throttled >= summary->totals.wall_seconds * THROTTLED_WORTH)
		recommend_note(recommendation, "The job was held back by its CPU limit for %s: it may use more CPUs.",
			units_duration(throttled).text);
}

static int note_phases(struct recommendation *recommendation, const struct run *run, const struct summary *summary)
{
	struct phases phases;
	char saving[256];

	if (phases_find(&phases, &summary->process, run->start_time) != 0)
		return -1;
	struct split split = split_of(&phases);
	if (!split.worth_it)
		return 0;
	split_describe(&split, true, saving, sizeof saving);
	recommend_note(recommendation,
		"Its usage changes for good: as %zu jobs, one a phase, it would reserve %.200s less.", phases.count,
		saving);
	return 0;
}

/* -- all of it ------------------------------------------------------------------------------------- */

int recommend_make(struct recommendation *recommendation, const struct run *run, const struct summary *summary,
	size_t history_runs)
{
	struct history history;
	struct stats stats;

	*recommendation = (struct recommendation){.rule = rule};
	if (history_read(&history, run, history_runs) != 0)
		return -1;
	struct stats *runs = calloc(history.count + 1, sizeof *runs);
	if (!runs) {
		history_free(&history);
		errno = ENOMEM;
		return -1;
	}
	if (history.count > 0)
		memcpy(runs, history.runs, history.count * sizeof *runs);
	stats_make(&runs[history.count], &summary->process, &summary->system, run->interval);
	struct statistic *cpu = &runs[history.count].of[STAT_process_cpu_usage];
	cpu->mean = known_first(cpu->mean, summary->totals.mean_cpu_usage);
	combine(&stats, runs, history.count + 1, strcmp(run->status, "finished") == 0);
	apply_rule(&recommendation->resources, &stats,
		known_larger(known_larger(stats.of[STAT_process_memory_mib].max, summary->totals.peak_memory_mib),
			history.peak_memory_mib));
	recommendation->runs = history.count + 1;
	free(runs);
	history_free(&history);
	note_basis(recommendation, run, summary);
	heed_limit(recommendation, run, summary);
	return note_phases(recommendation, run, summary);
}

/* -- JSON ------------------------------------------------------------------------------------------ */

static cJSON *server_json(const struct server *server)
{
	cJSON *object = cJSON_CreateObject();

	cJSON_AddStringToObject(object, "vendor", server->vendor);
	cJSON_AddStringToObject(object, "server", server->id);
	cJSON_AddStringToObject(object, "name", server->name);
	cJSON_AddStringToObject(object, "architecture", server->architecture);
	cJSON_AddStringToObject(object, "region", server->region);
	json_add_number(object, "vcpus", server->vcpus, 2);
	json_add_number(object, "memory", server->memory_mib, 0);
	json_add_number(object, "gpu", server->gpu, 2);
	json_add_number(object, "vram", server->vram_mib, 0);
	cJSON_AddStringToObject(object, "gpu_model", server->gpu_model);
	json_add_number(object, "price", server->price, 6);
	json_add_number(object, "price_spot", server->spot_price, 6);
	cJSON_AddStringToObject(object, "currency", server->currency);
	return object;
}

static cJSON *cost_json(const struct cost *cost)
{
	cJSON *object = cJSON_CreateObject();

	json_add_number(object, "run", cost->run, 6);
	json_add_number(object, "current", cost->current, 6);
	json_add_number(object, "saving", cost->saving, 6);
	json_add_number(object, "saving_percent", cost->saving_percent, 2);
	json_add_number(object, "run_spot", cost->spot, 6);
	cJSON_AddStringToObject(object, "currency", cost->currency);
	return object;
}

cJSON *recommend_json(const struct recommendation *recommendation)
{
	const struct resources *resources = &recommendation->resources;
	cJSON *json = cJSON_CreateObject();
	cJSON *part = cJSON_AddObjectToObject(json, "resources");

	json_add_number(part, "cpu", resources->cpu, 0);
	json_add_number(part, "memory", resources->memory_mib, 0);
	json_add_number(part, "gpu", resources->gpu, 0);
	json_add_number(part, "vram", resources->vram_mib, 0);
	part = cJSON_AddObjectToObject(json, "basis");
	cJSON_AddNumberToObject(part, "runs", (double)recommendation->runs);
	cJSON_AddStringToObject(part, "rule", recommendation->rule);
	cJSON_AddItemToObject(
		json, "server", recommendation->has_server ? server_json(&recommendation->server) : cJSON_CreateNull());
	cJSON_AddItemToObject(
		json, "cost", recommendation->has_cost ? cost_json(&recommendation->cost) : cJSON_CreateNull());
	part = cJSON_AddArrayToObject(json, "notes");
	for (size_t i = 0; i < recommendation->note_count; i++)
		cJSON_AddItemToArray(part, cJSON_CreateString(recommendation->notes[i]));
	return json;
}
