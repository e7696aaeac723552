/* SPDX-License-Identifier: Apache-2.0 */
/* The predecessor's statistics of a run, one for each column with an `aggregate` other than NONE in core/columns.def.
 *
 * Rows of process.csv and system.csv are paired, and the longer table is cut; an empty table does not cut the other.
 * Unknown cells are ignored. Every figure is rounded to 2 decimals as by Python's round(): to the nearest decimal of
 * the exact double, ties to even.
 *
 * Over several runs, means and durations are averaged; maxima and sums take the largest. The predecessor merges the
 * current run with its history, because it uses them only for the next request. `rtrack-report stats` shows the two
 * separately. To get the predecessor's figure, pass the current run and the runs of its history to stats_combine. */
#ifndef RTRACK_REPORT_MODEL_STATS_H
#define RTRACK_REPORT_MODEL_STATS_H

#include "report/spool/run.h"
#include "report/spool/series.h"

/* Enumerators such as STAT_process_cpu_usage. */
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

/* Only the figures that the column's aggregate asks for are set; the others, and unmeasured ones, are UNKNOWN. */
struct statistic {
	double mean;
	double max;
	double sum;
	double duration;
};

struct stats {
	struct statistic of[STAT_COUNT];
};

/* Columns that stats_make needs of a table, as a mask for series_load. */
uint64_t stats_columns(enum table_id table);

void stats_make(struct stats *stats, const struct series *process, const struct series *system, double interval);

/* Whether the job's memory is RSS instead of PSS, because of --memory rss or because the run was too short to read PSS.
 * No file records this. PSS is below RSS wherever a page is shared, which nearly every process does, so equal columns
 * in all rows mean RSS. Needs the columns memory_mib and rss_mib. */
bool stats_memory_is_rss(const struct series *process);

/* Combined statistics of `count` runs; all UNKNOWN if count is 0. */
void stats_combine(struct stats *combined, const struct stats *runs, size_t count);

/* All statistics in report order: the job's first, the duration last. */
void stats_order(enum stat_id ids[STAT_COUNT]);

/* The column that supplies label and unit for people. */
const struct column *stats_column(enum stat_id id);

/* Returns {"process_cpu_usage": {"mean": 1.42, "max": 6.11}, …} with null for unknown figures. The caller owns the
 * object. */
cJSON *stats_json(const struct stats *stats);
/* Reads the result of stats_json; missing figures are UNKNOWN. */
void stats_read_json(struct stats *stats, const cJSON *object);

/* Rounds to 2 decimals, ties to even, as Python's round() does. */
double stats_round(double value);

#endif
