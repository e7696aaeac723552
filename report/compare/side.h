/* SPDX-License-Identifier: Apache-2.0 */
/* One side of a comparison: a run, or the latest runs of its job. */
#ifndef RTRACK_REPORT_COMPARE_SIDE_H
#define RTRACK_REPORT_COMPARE_SIDE_H

#include "report/compare/condition.h"
#include "report/model/model.h"
#include "report/history/history.h"

/* The sections of the model that both sides need. */
enum { SIDE_SECTIONS = MODEL_PROGRAMS | MODEL_COURSE | MODEL_STATS };

struct spools;

struct side {
	struct run run;
	struct model model; /* model of the run, with at least SIDE_SECTIONS */
	size_t runs;        /* number of runs from which the figures are computed */
	double figures[MEASURE_COUNT];
	double least[MEASURE_COUNT], greatest[MEASURE_COUNT]; /* range over the runs */
	char **directories;                                   /* directories of the earlier runs; owned */
};

/* Computes the figures of a run from its totals and statistics. */
void side_figures(double figures[MEASURE_COUNT], const struct totals *totals, const struct stats *stats);

/* Reads the run that `selector` names and up to limit − 1 earlier finished runs of its job. Each figure is the median
 * of these runs. If the limit is above 1 and the run is unfinished, it is replaced by the latest finished run before
 * it. If there is no such run, the unfinished run is used alone. `labels` restricts what `selector` may name, as in
 * runs_select. `sections` selects the sections of the model. Returns
 * 0, or -1 after a message. */
int side_read(struct side *side, const struct spools *spools, const char *labels, const char *selector, size_t limit,
	unsigned sections);
/* Makes a side from a single run and its model, and takes ownership of both. */
void side_take(struct side *side, struct run *run, struct model *model);
void side_free(struct side *side);

/* -- earlier runs ------------------------------------------------------------------------------------ */

enum { PAST_HABIT = 3 }; /* minimum number of earlier runs; with fewer, no figure is called unusual */

struct past {
	size_t count; /* number of runs, including the run itself */
	/* figures of each run, oldest first; the last is the run itself */
	double figures[HISTORY_RUNS + 1][MEASURE_COUNT];
};

void past_make(
	struct past *past, const struct totals *totals, const struct stats *stats, const struct history *history);

/* Returns the figure of the run itself. */
double past_now(const struct past *past, enum measure_id measure);

/* Returns the median of the earlier runs, or UNKNOWN. Unlike the mean, the median does not change much with a single
 * outlier. Stores the number of runs that have the figure in *runs. */
double past_median(const struct past *past, enum measure_id measure, size_t *runs);

#endif
