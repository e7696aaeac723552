/* SPDX-License-Identifier: Apache-2.0 */
/* One side of a comparison: a run, or the latest runs of its job. */
#ifndef RTRACK_REPORT_COMPARE_SIDE_H
#define RTRACK_REPORT_COMPARE_SIDE_H

#include "report/compare/condition.h"
#include "report/model/model.h"
#include "report/history/history.h"

/* Sections of the model that every side has. */
enum { SIDE_SECTIONS = MODEL_PROGRAMS | MODEL_COURSE | MODEL_STATS };

struct side {
	struct run run;
	struct model model; /* model of the run, with at least SIDE_SECTIONS */
	size_t runs;        /* number of runs from which the figures are computed */
	double figures[MEASURE_COUNT];
	double least[MEASURE_COUNT], greatest[MEASURE_COUNT]; /* range over the runs */
	char **directories;                                   /* directories of the earlier runs; owned */
};

/* Extracts the figures of a run from its totals and statistics. */
void side_figures(double figures[MEASURE_COUNT], const struct totals *totals, const struct stats *stats);

/* Reads the run that `selector` names and up to limit − 1 earlier finished runs of its job. Each figure is the median
 * of these runs. With a limit above 1, an unfinished run is replaced by the latest finished run before it, or used
 * alone if there is none. `sections` are the sections of its model. Returns 0, or -1 after a message. */
int side_read(struct side *side, const char *spool, const char *selector, size_t limit, unsigned sections);
/* Makes a side of one run from a model and its run, and takes ownership of both. */
void side_take(struct side *side, struct run *run, struct model *model);
void side_free(struct side *side);

/* -- earlier runs ------------------------------------------------------------------------------------ */

enum { PAST_HABIT = 3 }; /* with fewer earlier runs, no figure is called unusual */

struct past {
	size_t count;                                    /* number of runs, at least 1 for the run itself */
	double figures[HISTORY_RUNS + 1][MEASURE_COUNT]; /* oldest first, the run itself last */
};

void past_make(
	struct past *past, const struct totals *totals, const struct stats *stats, const struct history *history);

/* The figure of the run itself. */
double past_now(const struct past *past, enum measure_id measure);

/* The median of the earlier runs, which a single outlier does not change, or UNKNOWN. *runs is the number of runs that
 * have the figure. */
double past_median(const struct past *past, enum measure_id measure, size_t *runs);

#endif
