/* SPDX-License-Identifier: Apache-2.0 */
/* Computes the statistics of resource-tracker for a run. */
#include "report/model/stats.h"

#include "core/number.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#undef STAT
#define STAT(table, name) {TABLE_##table, COLUMN_FAMILY_##table(name)},

/* The table and column of each statistic. */
static const struct place {
	enum table_id table;
	int column;
} places[STAT_COUNT] = {
#define COLUMN(table, name, unit, digits, kind, aggregate, chart, label) STAT_OF_##aggregate(table, name)
#include "core/columns.def"
};

static const struct statistic unknown_statistic = {UNKNOWN, UNKNOWN, UNKNOWN, UNKNOWN};

const struct column *stats_column(enum stat_id id)
{
	return &table_columns(&tables[places[id].table])[places[id].column];
}

uint64_t stats_columns(enum table_id table)
{
	uint64_t mask = 0;
	for (size_t i = 0; i < STAT_COUNT; i++)
		if (places[i].table == table)
			mask |= SERIES_COLUMN(places[i].column);
	return mask;
}

double stats_round(double value)
{
	char text[400];

	if (!isfinite(value))
		return UNKNOWN;
	/* snprintf rounds the exact value of the double to the nearest decimal, ties to even. */
	snprintf(text, sizeof text, "%.2f", value);
	return strtod(text, NULL);
}

/* Returns the time from the earliest to the latest row, plus one interval. Rows may be out of order, because the
 * clock may have been set back. */
static double duration(const struct series *series, double interval)
{
	double first = UNKNOWN;
	for (size_t row = 0; row < series->rows; row++)
		if (!(series_value(series, 0, row) >= first))
			first = series_value(series, 0, row);
	return series_max(series, 0) - first + interval;
}

void stats_make(struct stats *stats, const struct series *process, const struct series *system, double interval)
{
	struct series paired[TABLE_COUNT] = {[TABLE_process] = *process, [TABLE_system] = *system};
	if (process->rows > 0 && system->rows > 0) {
		size_t rows = process->rows < system->rows ? process->rows : system->rows;
		paired[TABLE_process].rows = paired[TABLE_system].rows = rows;
	}
	/* resource-tracker uses the timestamp of system.csv for each pair of rows. */
	const struct series *clock = &paired[system->rows > 0 ? TABLE_system : TABLE_process];
	for (enum stat_id id = 0; id < STAT_COUNT; id++) {
		const struct series *series = &paired[places[id].table];
		int column = places[id].column;
		struct statistic *figure = &stats->of[id];
		*figure = unknown_statistic;
		int wanted = column_aggregate(stats_column(id));
		if (wanted == AGGREGATE_MEAN_MAX)
			figure->mean = stats_round(series_mean(series, column));
		if (wanted == AGGREGATE_MEAN_MAX || wanted == AGGREGATE_MAX)
			figure->max = stats_round(series_max(series, column));
		if (wanted == AGGREGATE_SUM)
			figure->sum = stats_round(series_sum(series, column));
		if (wanted == AGGREGATE_DURATION)
			figure->duration = stats_round(duration(clock, interval));
	}
}

bool stats_memory_is_rss(const struct series *process)
{
	bool any = false;

	for (size_t row = 0; row < process->rows; row++) {
		double memory = series_value(process, PROCESS_memory_mib, row);
		double rss = series_value(process, PROCESS_rss_mib, row);
		if (memory != rss && number_known(memory) && number_known(rss))
			return false;
		any |= memory > 0 && memory == rss;
	}
	return any;
}

/* -- several runs ---------------------------------------------------------------------------------- */

struct mean {
	double sum;
	double count;
};

static void mean_add(struct mean *mean, double value)
{
	if (number_known(value)) {
		mean->sum += value;
		mean->count++;
	}
}

static double mean_value(const struct mean *mean)
{
	return mean->count > 0 ? stats_round(mean->sum / mean->count) : UNKNOWN;
}

void stats_combine(struct stats *combined, const struct stats *runs, size_t count)
{
	for (enum stat_id id = 0; id < STAT_COUNT; id++) {
		struct statistic figure = unknown_statistic;
		struct mean mean = {0};
		struct mean durations = {0};
		for (size_t i = 0; i < count; i++) {
			mean_add(&mean, runs[i].of[id].mean);
			mean_add(&durations, runs[i].of[id].duration);
			figure.max = known_larger(figure.max, runs[i].of[id].max);
			figure.sum = known_larger(figure.sum, runs[i].of[id].sum);
		}
		figure.mean = mean_value(&mean);
		figure.duration = mean_value(&durations);
		combined->of[id] = figure;
	}
}

/* -- JSON ------------------------------------------------------------------------------------------ */

enum { KEY_SIZE = 64 };

/* Writes the key TABLE_COLUMN. The key of a timestamp has no table, because both tables have the same timestamps. */
static const char *write_key(char key[KEY_SIZE], enum stat_id id)
{
	const struct column *column = stats_column(id);

	if (column->kind == KIND_TIME)
		snprintf(key, KEY_SIZE, "%s", column_name(column));
	else
		snprintf(key, KEY_SIZE, "%s_%s", tables[places[id].table].name, column_name(column));
	return key;
}

static void add_statistic(cJSON *object, enum stat_id id, const struct statistic *figure)
{
	int wanted = column_aggregate(stats_column(id));
	char key[KEY_SIZE];
	cJSON *item = cJSON_AddObjectToObject(object, write_key(key, id));

	if (wanted == AGGREGATE_MEAN_MAX)
		json_add_number(item, "mean", figure->mean, 2);
	if (wanted == AGGREGATE_MEAN_MAX || wanted == AGGREGATE_MAX)
		json_add_number(item, "max", figure->max, 2);
	if (wanted == AGGREGATE_SUM)
		json_add_number(item, "sum", figure->sum, 2);
	if (wanted == AGGREGATE_DURATION)
		json_add_number(item, "duration", figure->duration, 2);
}

void stats_order(enum stat_id ids[STAT_COUNT])
{
	static const struct {
		enum table_id table;
		bool time;
	} order[] = {{TABLE_process, false}, {TABLE_system, false}, {TABLE_process, true}, {TABLE_system, true}};
	size_t count = 0;

	for (size_t i = 0; i < ARRAY_LENGTH(order); i++)
		for (enum stat_id id = 0; id < STAT_COUNT; id++)
			if (places[id].table == order[i].table &&
				(stats_column(id)->kind == KIND_TIME) == order[i].time)
				ids[count++] = id;
}

cJSON *stats_json(const struct stats *stats)
{
	enum stat_id ids[STAT_COUNT];
	cJSON *object = cJSON_CreateObject();

	stats_order(ids);
	for (size_t i = 0; i < STAT_COUNT; i++)
		add_statistic(object, ids[i], &stats->of[ids[i]]);
	return object;
}

void stats_read_json(struct stats *stats, const cJSON *object)
{
	char key[KEY_SIZE];

	for (enum stat_id id = 0; id < STAT_COUNT; id++) {
		const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, write_key(key, id));
		stats->of[id] = (struct statistic){
			.mean = json_double(item, "mean"),
			.max = json_double(item, "max"),
			.sum = json_double(item, "sum"),
			.duration = json_double(item, "duration"),
		};
	}
}
