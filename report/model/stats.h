/* SPDX-License-Identifier: Apache-2.0 */
/* The predecessor's statistics of a run, one for each column with an `aggregate` other than NONE in core/columns.def.
 *
 * Rows of process.csv and system.csv are paired row by row and the longer series is cut (a series without any row does
 * not cut the other); unknown cells count for nothing. Every figure is rounded to 2 decimals as Python's round() does
 * it: to the decimal nearest to the exact value of the double, and half to even when that lies exactly between two.
 *
 * Statistics of several runs: of means and durations the mean over the runs, of maxima and sums the largest. The
 * predecessor takes the current run and its history together, since it only derives the next request from them.
 * `rtrack-report stats` shows the two side by side for comparison; a caller that wants the predecessor's figure passes
 * the current run and the runs of its history to stats_combine. */
#ifndef RTRACK_REPORT_MODEL_STATS_H
#define RTRACK_REPORT_MODEL_STATS_H

#include "report/spool/run.h"
#include "report/spool/series.h"

/* STAT_process_cpu_usage and so on. */
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

/* The figures that the column's aggregate asks for; the others, and those that were not measured, are UNKNOWN. */
struct statistic {
	double mean;
	double max;
	double sum;
	double duration;
};

struct stats {
	struct statistic of[STAT_COUNT];
};

/* The columns that stats_make needs of a table, as a mask for series_load. */
uint64_t stats_columns(enum table_id table);

void stats_make(struct stats *stats, const struct series *process, const struct series *system, double interval);

/* Whether the job's memory is RSS: as --memory rss has it, or where the run was too short for a reading of PSS. No
 * record says so; but PSS is less wherever a page is shared, and there is hardly a process that shares none, so that it
 * is where both are the same in each row. Wants the columns memory_mib and rss_mib. */
bool stats_memory_is_rss(const struct series *process);

/* The statistics of `count` runs together; all UNKNOWN when count is 0. */
void stats_combine(struct stats *combined, const struct stats *runs, size_t count);

/* All statistics in the order of the report: those of the job first, the duration last. */
void stats_order(enum stat_id ids[STAT_COUNT]);

/* The column that has the label and unit for people. */
const struct column *stats_column(enum stat_id id);

/* {"process_cpu_usage": {"mean": 1.42, "max": 6.11}, …}; unknown is null. The caller owns the object. */
cJSON *stats_json(const struct stats *stats);
/* Reads what stats_json made; figures that are not there are UNKNOWN. */
void stats_read_json(struct stats *stats, const cJSON *object);

/* Rounds to 2 decimals as described above. */
double stats_round(double value);

#endif
