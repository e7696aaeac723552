/* SPDX-License-Identifier: Apache-2.0 */
/* The earlier finished runs of a run's job, for comparison. */
#ifndef RTRACK_REPORT_HISTORY_HISTORY_H
#define RTRACK_REPORT_HISTORY_HISTORY_H

#include "report/model/stats.h"
#include "report/model/model.h"
#include "report/spool/run.h"

enum { HISTORY_RUNS = 5 }; /* the number of runs that the predecessor uses */

struct history {
	size_t count;
	struct stats *runs;     /* statistics of each run, newest first; owned */
	struct totals *totals;  /* totals of each run; owned */
	char **directories;     /* directory of each run, or NULL if made by history_of; owned */
	struct stats stats;     /* combined statistics */
	double peak_memory_mib; /* largest peak of all runs */
};

/* Reads the latest `limit` finished runs of the same job in the same spool that started before `run`. An unreadable
 * spool has none. */
void history_read(struct history *history, const struct run *run, size_t limit);
/* Makes a history from digests, newest first. */
struct digest;
void history_of(struct history *history, const struct digest *const *digests, size_t count);
/* The mean of a total over the runs that have it, or UNKNOWN. */
double history_mean(const struct history *history, enum total_id total);
/* The combined statistic of all runs, like model_statistic for one run. */
struct statistic history_statistic(const struct history *history, enum stat_id id);
void history_free(struct history *history);

/* The JSON that `stats` prints: run, stats, totals, lines, and a history of at most `limit` runs. Needs MODEL_STATS and
 * MODEL_LINES. The caller owns it. */
cJSON *history_json(const struct model *model, size_t limit);

#endif
