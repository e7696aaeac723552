/* SPDX-License-Identifier: Apache-2.0 */
/* Reads the earlier finished runs of a run's job, to compare the run with them. */
#ifndef RTRACK_REPORT_HISTORY_HISTORY_H
#define RTRACK_REPORT_HISTORY_HISTORY_H

#include "report/model/stats.h"
#include "report/model/model.h"
#include "report/spool/run.h"

enum { HISTORY_RUNS = 5 }; /* number of earlier runs to compare with, the same as in rtrack's predecessor */

struct history {
	size_t count;
	struct stats *runs;     /* statistics of each run, newest first; owned */
	struct totals *totals;  /* totals of each run; owned */
	char **directories;     /* directory of each run; NULL if made by history_of; owned */
	struct stats stats;     /* combined statistics */
	double peak_memory_mib; /* largest peak of all runs */
};

/* Reads up to `limit` finished runs of the same job that started before `run`, latest first. Only the spool of `run` is
 * searched. If the spool cannot be read, the history is empty. */
void history_read(struct history *history, const struct run *run, size_t limit);
/* Makes a history from digests, which must be ordered from newest to oldest. */
struct digest;
void history_of(struct history *history, const struct digest *const *digests, size_t count);
/* The mean of a total over the runs that have it, or UNKNOWN. */
double history_mean(const struct history *history, enum total_id total);
/* Returns a statistic combined over all runs of the history. model_statistic returns it for a single run. */
struct statistic history_statistic(const struct history *history, enum stat_id id);
void history_free(struct history *history);

/* Returns the JSON object that `stats` prints: run, stats, totals, lines, and a history of at most `limit` runs. The
 * model must have the sections MODEL_STATS and MODEL_LINES. The caller must free the object. */
cJSON *history_json(const struct model *model, size_t limit);

#endif
