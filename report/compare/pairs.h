/* SPDX-License-Identifier: Apache-2.0 */
/* Pairs the phases of two runs.
 *
 * If one run loads data for longer, all its later phases are delayed, and a comparison by time would show differences
 * everywhere. Each phase is therefore compared with its counterpart. Runs with equally many phases are paired in order.
 * Otherwise the phases that differ most in CPUs, memory and GPUs stay unpaired. A run without phases counts as one
 * phase. */
#ifndef RTRACK_REPORT_COMPARE_PAIRS_H
#define RTRACK_REPORT_COMPARE_PAIRS_H

#include "report/compare/condition.h"
#include "report/model/model.h"

enum { PAIRS_MAX = 2 * SEGMENTS_MAX, PAIR_MEASURES = 8 };

/* The figures that are compared for a phase, in this order. */
extern const enum measure_id pair_measures[PAIR_MEASURES];

struct phase_pair {
	const struct phase *a, *b; /* the phase of each run, or NULL if that run has no counterpart */
};

struct pairs {
	struct phases a, b;
	size_t count;
	struct phase_pair items[PAIRS_MAX];
};

/* Pairs the phases of both runs, whose models must have MODEL_COURSE. */
void pairs_make(struct pairs *pairs, const struct model *a, const struct model *b);

/* The number of a phase in its run, counted from 1; 0 for NULL. */
size_t pairs_number(const struct phases *phases, const struct phase *phase);

/* Figures in the order of pair_measures. */
struct pair_figures {
	double of[PAIR_MEASURES];
};

/* Figures of a phase; all UNKNOWN for NULL. */
struct pair_figures pairs_figures(const struct phase *phase);

/* The seconds of the longer phase of a pair. */
double pairs_width(const struct phase_pair *pair);

/* -- a common axis --------------------------------------------------------------------------------- */

/* Maps the time of a run to the axis that both sides share. */
struct course {
	double seconds; /* length of the axis */
	size_t count;   /* 0 if the axis is the time since the start */
	struct stretch {
		double from, to;   /* seconds since the start of the run */
		double begin, end; /* position on the axis */
	} stretches[SEGMENTS_MAX];
};

/* Makes the mapping for one run. Each pair is as wide as its longer phase. */
void pairs_course(struct course *course, const struct pairs *pairs, bool of_b, double start);

/* Makes the mapping for another run of the same side, with as many phases as `like`. Returns 0, or -1 if the run has a
 * different number of phases. */
int pairs_course_like(struct course *course, const struct course *like, const struct model *model);

#endif
