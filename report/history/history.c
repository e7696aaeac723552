/* SPDX-License-Identifier: Apache-2.0 */
/* Reads the earlier finished runs of a run's job. */
#include "report/history/history.h"

#include "core/number.h"
#include "report/history/digest.h"
#include "report/model/energy.h"
#include "report/say/alloc.h"
#include "report/spool/job_key.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool is_earlier(const void *run, const struct digest *earlier)
{
	return strcmp(earlier->status, "finished") == 0 && digest_is_before(earlier, run);
}

static void add_figures(struct history *history, const struct digest *digest)
{
	struct totals totals = digest_totals(digest);

	digest_stats(digest, &history->runs[history->count]);
	history->totals[history->count++] = totals;
	history->peak_memory_mib = known_larger(history->peak_memory_mib, totals.peak_memory_mib);
}

static void read_runs(struct history *history, struct runs *runs, const struct run *run, size_t limit)
{
	struct digest_run later = {run, job_key(run)};
	const char *name;

	while (history->count < limit && (name = runs_next_name(runs))) {
		struct digest digest;
		if (!digest_find(&digest, runs, name, is_earlier, &later))
			continue;
		if (digest_is_typical(&digest)) {
			history->directories[history->count] = xasprintf("%s/%s", runs->spool, name);
			add_figures(history, &digest);
		}
		digest_free(&digest);
	}
	free(later.key);
}

void history_read(struct history *history, const struct run *run, size_t limit)
{
	struct runs runs = {0};

	*history = (struct history){.peak_memory_mib = UNKNOWN};
	if (runs_list_of(&runs, run) == 0) {
		limit = limit < runs.count ? limit : runs.count;
		history->runs = xcalloc(limit, sizeof *history->runs);
		history->totals = xcalloc(limit, sizeof *history->totals);
		history->directories = xcalloc(limit, sizeof(char *));
		read_runs(history, &runs, run, limit);
	}
	runs_free(&runs);
	stats_combine(&history->stats, history->runs, history->count);
}

void history_of(struct history *history, const struct digest *const *digests, size_t count)
{
	*history = (struct history){.peak_memory_mib = UNKNOWN,
		.runs = xcalloc(count, sizeof *history->runs),
		.totals = xcalloc(count, sizeof *history->totals)};
	for (size_t i = 0; i < count; i++)
		add_figures(history, digests[i]);
	stats_combine(&history->stats, history->runs, history->count);
}

double history_mean(const struct history *history, enum total_id total)
{
	double sum = UNKNOWN, count = 0;

	for (size_t i = 0; i < history->count; i++) {
		double value = total_value(&history->totals[i], total);
		known_add(&sum, value);
		count += number_known(value);
	}
	return sum / count;
}

struct statistic history_statistic(const struct history *history, enum stat_id id)
{
	struct statistic statistic = history->stats.of[id];

	if (id == STAT_process_cpu_usage) {
		statistic.mean = history_mean(history, TOTAL_mean_cpu_usage);
	} else if (id == STAT_process_memory_mib) {
		statistic.mean = history_mean(history, TOTAL_mean_memory_mib);
		statistic.max = history->peak_memory_mib;
	}
	return statistic;
}

void history_free(struct history *history)
{
	for (size_t i = 0; history->directories && i < history->count; i++)
		free(history->directories[i]);
	free(history->directories);
	free(history->totals);
	free(history->runs);
	history->directories = NULL;
	history->totals = NULL;
	history->runs = NULL;
	history->count = 0;
}

cJSON *history_json(const struct model *model, size_t limit)
{
	const struct run *run = model->run;
	struct history history;

	history_read(&history, run, limit);
	cJSON *json = cJSON_CreateObject();
	cJSON *facts = cJSON_Duplicate(run->json, true);
	if (!cJSON_HasObjectItem(facts, "id"))
		cJSON_AddStringToObject(facts, "id", run->id);
	if (kills_met_another(&model->kills, run))
		cJSON_ReplaceItemInObjectCaseSensitive(facts, "killed_by", cJSON_CreateNull());
	if (run->silent_seconds > 0)
		cJSON_AddNumberToObject(facts, "silent_seconds", run->silent_seconds);
	cJSON_AddItemToObject(json, "run", facts);
	cJSON_AddItemToObject(json, "stats", stats_json(&model->stats));
	cJSON *totals = cJSON_AddObjectToObject(json, "totals");
	totals_write_json(&model->totals, totals);
	energy_write_carbon(model->totals.energy_wh, totals);
	code_write_json(&model->code, json);
	cJSON *earlier = cJSON_AddObjectToObject(json, "history");
	cJSON_AddNumberToObject(earlier, "runs", (double)history.count);
	cJSON_AddItemToObject(earlier, "stats", stats_json(&history.stats));
	history_free(&history);
	return json;
}
