/* SPDX-License-Identifier: Apache-2.0 */
/* Pairs the phases of two runs.
 *
 * If one run loads data for longer, all its later phases are delayed, and a comparison by time would show differences
 * everywhere. Therefore, each phase is compared with its counterpart in the other run. If both runs have the same
 * number of phases, they are paired in order. Otherwise, the phases with the largest differences in CPU, memory and GPU
 * usage are left unpaired. */
#ifndef RTRACK_REPORT_COMPARE_PAIRS_H
#define RTRACK_REPORT_COMPARE_PAIRS_H

#include "report/compare/condition.h"
#include "report/model/model.h"

enum { PAIRS_MAX = 2 * SEGMENTS_MAX, PAIR_MEASURES = 8 };

/* The figures that are compared for each phase, in the order in which they are shown. */
extern const enum measure_id pair_measures[PAIR_MEASURES];

struct phase_pair {
	const struct phase *a, *b; /* a phase of A and its counterpart in B; NULL if there is no counterpart */
};

struct pairs {
	struct phases a, b;
	size_t count;
	struct phase_pair items[PAIRS_MAX];
};

/* Pairs the phases of two runs. Their models must have the section MODEL_COURSE. */
void pairs_make(struct pairs *pairs, const struct model *a, const struct model *b);

/* Returns the number of a phase within its run, starting at 1, or 0 if `phase` is NULL. */
size_t pairs_number(const struct phases *phases, const struct phase *phase);

/* Figures of a phase or part, in the order of pair_measures. */
struct pair_figures {
	double of[PAIR_MEASURES];
};

/* Returns the figures of a phase. If `phase` is NULL, all of them are UNKNOWN. */
struct pair_figures pairs_figures(const struct phase *phase);

/* Returns the duration of the longer phase of a pair, in seconds. */
double pairs_width(const struct phase_pair *pair);

/* -- a common axis --------------------------------------------------------------------------------- */

/* Maps times of a run to the time axis that both runs share. The phases of a pair are at the same position on this
 * axis. */
struct course {
	double seconds; /* length of the axis */
	size_t count;   /* number of stretches; 0 if the axis is simply the time since the start */
	struct stretch {
		double from, to;   /* seconds since the start of the run */
		double begin, end; /* position on the axis */
	} stretches[SEGMENTS_MAX];
};

/* Computes the mapping for one run. Each pair of phases gets the duration of its longer phase on the axis. */
void pairs_course(struct course *course, const struct pairs *pairs, bool of_b, double start);

/* Computes the mapping for another run of the same side. It must have as many phases as the run of `like`. Returns 0,
 * or -1 if the number of phases differs. */
int pairs_course_like(struct course *course, const struct course *like, const struct model *model);

#endif
