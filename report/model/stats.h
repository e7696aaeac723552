/* SPDX-License-Identifier: Apache-2.0 */
/* The statistics of resource-tracker for a run, one for each column with an `aggregate` other than NONE in
 * core/columns.def.
 *
 * Rows of process.csv and system.csv are paired, and the longer table is cut. If one table is empty, the other is not
 * cut. Unknown cells are ignored. Figures are rounded to 2 decimals, ties to even, as by Python's round().
 *
 * Over several runs, means and durations are averaged, and maxima and sums take the largest value. resource-tracker
 * also includes the current run, but `rtrack-report stats` shows it separately. To get the figures of
 * resource-tracker, pass the current run and the runs of its history to stats_combine. */
#ifndef RTRACK_REPORT_MODEL_STATS_H
#define RTRACK_REPORT_MODEL_STATS_H

#include "report/spool/run.h"
#include "report/spool/series.h"

/* One enumerator for each statistic, such as STAT_process_cpu_usage. */
#define STAT(table, name) STAT_##table##_##name,
#define STAT_OF_NONE(table, name)
#define STAT_OF_MEAN_MAX STAT
#define STAT_OF_MAX STAT
#define STAT_OF_SUM STAT
#define STAT_OF_DURATION STAT
enum stat_id {
#define COLUMN(table, name, unit, digits, kind, aggregate, chart, label) STAT_OF_##aggregate(table, name)
#include "core/columns.def"
	STAT_COUNT
};

/* The `aggregate` of the column determines which of these figures are set. The others, and figures that were not
 * measured, are UNKNOWN. */
struct statistic {
	double mean;
	double max;
	double sum;
	double duration;
};

struct stats {
	struct statistic of[STAT_COUNT];
};

/* Returns the columns of a table that stats_make needs, as a mask for series_load. */
uint64_t stats_columns(enum table_id table);

void stats_make(struct stats *stats, const struct series *process, const struct series *system, double interval);

/* Returns whether memory_mib is RSS instead of PSS, because of --memory rss or because the run was too short to read
 * PSS. Nearly every process shares pages, and its PSS is then below its RSS. If memory_mib equals rss_mib in all
 * rows, it is therefore RSS. */
bool stats_memory_is_rss(const struct series *process);

/* Combines the statistics of `count` runs. All figures are UNKNOWN if `count` is 0. */
void stats_combine(struct stats *combined, const struct stats *runs, size_t count);

/* Lists all statistics in the order of reports: those of the job first, durations last. */
void stats_order(enum stat_id ids[STAT_COUNT]);

/* Returns the column whose label and unit are shown for a statistic. */
const struct column *stats_column(enum stat_id id);

/* Returns {"process_cpu_usage": {"mean": 1.42, "max": 6.11}, …}. Unknown figures are null. The caller owns the
 * object. */
cJSON *stats_json(const struct stats *stats);
/* Reads the result of stats_json. Missing figures become UNKNOWN. */
void stats_read_json(struct stats *stats, const cJSON *object);

/* Rounds to 2 decimals, ties to even, as Python's round() does. */
double stats_round(double value);

#endif
