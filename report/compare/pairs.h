/* SPDX-License-Identifier: Apache-2.0 */
/* The phases of the two runs of a comparison, side by side.
 *
 * A run with a longer loading is later in everything that follows: second by second it looks different throughout. So
 * each phase is compared with its like. Runs with as many phases have them paired in their order; of others, those that
 * are least alike in CPUs, memory and GPUs stay alone. A run without phases counts as one. */
#ifndef RTRACK_REPORT_COMPARE_PAIRS_H
#define RTRACK_REPORT_COMPARE_PAIRS_H

#include "report/compare/condition.h"
#include "report/model/model.h"

enum { PAIRS_MAX = 2 * SEGMENTS_MAX, PAIR_MEASURES = 8 };

/* What is compared of a phase, in this order. */
extern const enum measure_id pair_measures[PAIR_MEASURES];

struct phase_pair {
	const struct phase *a, *b; /* NULL: that run has no such phase */
};

struct pairs {
	struct phases a, b;
	size_t count;
	struct phase_pair items[PAIRS_MAX];
};

/* Pairs the phases of both runs. Their models have MODEL_COURSE. */
void pairs_make(struct pairs *pairs, const struct model *a, const struct model *b);

/* The position of a phase in its run, from 1 on; 0 for NULL. */
size_t pairs_number(const struct phases *phases, const struct phase *phase);

/* A figure of a phase; UNKNOWN of NULL. */
double pairs_figure(const struct phase *phase, enum measure_id measure);

/* -- one axis for both ----------------------------------------------------------------------------- */

/* How the time of a run lies on the axis that both sides share. */
struct course {
	double seconds; /* length of the axis */
	size_t count;   /* 0: the axis is the time since the start */
	struct stretch {
		double from, to;   /* seconds since the start of the run */
		double begin, end; /* on the axis */
	} stretches[SEGMENTS_MAX];
};

/* The course of either run where each pair is as wide as its longer phase. */
void pairs_course(struct course *course, const struct pairs *pairs, bool of_b, double start);

/* Fills the course of another run of the same side, with as many phases as `like`. Returns 0, or -1: it has others. */
int pairs_course_like(struct course *course, const struct course *like, const struct model *model);

#endif
