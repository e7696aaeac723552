/* SPDX-License-Identifier: Apache-2.0 */
/* The earlier finished runs of a run's job, with which it is compared. */
#ifndef RTRACK_REPORT_HISTORY_HISTORY_H
#define RTRACK_REPORT_HISTORY_HISTORY_H

#include "report/model/stats.h"
#include "report/model/model.h"
#include "report/spool/run.h"

enum { HISTORY_RUNS = 5 }; /* as many as the predecessor takes */

struct history {
	size_t count;
	struct stats *runs;     /* the newest first; owned */
	struct totals *totals;  /* of each run; owned */
	char **directories;     /* of each run, unless history_of made it (NULL); owned */
	struct stats stats;     /* of them together */
	double peak_memory_mib; /* the largest of their totals */
};

/* Takes the latest `limit` runs of the same spool and job that started before `run` and finished. A spool that cannot
 * be read has none. */
void history_read(struct history *history, const struct run *run, size_t limit);
/* Takes runs that are at hand, the newest first. */
struct digest;
void history_of(struct history *history, const struct digest *const *digests, size_t count);
/* The mean of one of the totals over the runs that have it; UNKNOWN where none has. */
double history_mean(const struct history *history, enum total_id total);
/* What model_statistic is of one run, of all of them. */
struct statistic history_statistic(const struct history *history, enum stat_id id);
void history_free(struct history *history);

/* The JSON that `stats` prints: run, stats, totals, lines, and the history of at most `limit` runs. Needs MODEL_STATS
 * and MODEL_LINES. The caller owns it. */
cJSON *history_json(const struct model *model, size_t limit);

#endif
