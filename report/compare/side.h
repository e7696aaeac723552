/* SPDX-License-Identifier: Apache-2.0 */
/* One side of a comparison: a run, or the latest runs of its job. */
#ifndef RTRACK_REPORT_COMPARE_SIDE_H
#define RTRACK_REPORT_COMPARE_SIDE_H

#include "report/compare/condition.h"
#include "report/model/model.h"

/* The sections of the model that every side has. */
enum { SIDE_SECTIONS = MODEL_PROGRAMS | MODEL_COURSE | MODEL_STATS };

struct side {
	struct run run;
	struct model model; /* of the run, with SIDE_SECTIONS and more */
	size_t runs;        /* how many runs the figures are of */
	double figures[MEASURE_COUNT];
	double least[MEASURE_COUNT], greatest[MEASURE_COUNT]; /* of its runs */
	char **directories;                                   /* of the runs before it; owned */
};

/* Takes the figures of a run from its totals and its statistics. */
void side_figures(double figures[MEASURE_COUNT], const struct totals *totals, const struct stats *stats);

/* Reads the run that `selector` means and up to limit − 1 finished runs of its job before it; each figure is the median
 * of theirs. With a limit above 1 a run that is not finished makes way for the latest of its job before it that is, and
 * stands alone if there is none. `sections`: of its model. Returns 0, or -1 after a message. */
int side_read(struct side *side, const char *spool, const char *selector, size_t limit, unsigned sections);
/* Takes a model and its run, which then belong to the side: its figures are those of one run. */
void side_take(struct side *side, struct run *run, struct model *model);
void side_free(struct side *side);

#endif
