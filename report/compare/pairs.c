/* SPDX-License-Identifier: Apache-2.0 */
/* Pairs the phases of two runs. */
#include "report/compare/pairs.h"

#include "core/number.h"

#include <math.h>

/* cost of an unpaired phase; the cost of a pair is between 0 (equal) and 1 (nothing in common) */
static const double ALONE = 0.5;

const enum measure_id pair_measures[PAIR_MEASURES] = {MEASURE_wall_seconds, MEASURE_cpu_seconds, MEASURE_mean_cpu_usage,
	MEASURE_peak_memory_mib, MEASURE_disk_read_bytes, MEASURE_disk_write_bytes, MEASURE_mean_gpu_usage,
	MEASURE_peak_gpu_vram_mib};

struct pair_figures pairs_figures(const struct phase *phase)
{
	struct pair_figures figures;

	if (phase)
		return (struct pair_figures){
			{phase->stop - phase->start, phase->cpu_seconds, phase->mean_cpu, phase->peak_memory_mib,
				phase->read_bytes, phase->write_bytes, phase->mean_gpu, phase->peak_vram_mib}};
	for (size_t i = 0; i < PAIR_MEASURES; i++)
		figures.of[i] = UNKNOWN;
	return figures;
}

size_t pairs_number(const struct phases *phases, const struct phase *phase)
{
	return phase ? (size_t)(phase - phases->items) + 1 : 0;
}

/* Copies the phases of a run. A run without phases is treated as one phase. A run without rows has no phase. */
static void take_phases(struct phases *phases, const struct model *model)
{
	*phases = model->phases;
	if (phases->count == 0 && model->process.rows > 0)
		phases->items[phases->count++] = phases_whole(&model->process, model->run);
}

/* -- similarity ------------------------------------------------------------------------------------ */

/* Returns how different two phases are, from 0 (equal) to 1 (nothing in common). */
static double distance(const struct phase *a, const struct phase *b)
{
	const double figures[][2] = {
		{a->mean_cpu, b->mean_cpu}, {a->mean_memory_mib, b->mean_memory_mib}, {a->mean_gpu, b->mean_gpu}};
	double sum = 0, known = 0;

	for (size_t i = 0; i < ARRAY_LENGTH(figures); i++) {
		double most = fmax(figures[i][0], figures[i][1]);
		double part = fabs(figures[i][0] - figures[i][1]) / most;
		if (!number_known(part))
			continue;
		sum += part;
		known++;
	}
	return known > 0 ? sum / known : 0;
}

/* cost[i][j] is the lowest cost of pairing the phases of A from index i to the end with the phases of B from index j to
 * the end. */
typedef double costs[SEGMENTS_MAX + 1][SEGMENTS_MAX + 1];

static void fill_costs(costs cost, const struct phases *a, const struct phases *b)
{
	for (size_t i = a->count + 1; i-- > 0;)
		for (size_t j = b->count + 1; j-- > 0;) {
			double best = i == a->count && j == b->count ? 0 : INFINITY;
			if (i < a->count && j < b->count)
				best = distance(&a->items[i], &b->items[j]) + cost[i + 1][j + 1];
			if (i < a->count)
				best = fmin(best, ALONE + cost[i + 1][j]);
			if (j < b->count)
				best = fmin(best, ALONE + cost[i][j + 1]);
			cost[i][j] = best;
		}
}

static void pair(struct pairs *pairs)
{
	const struct phases *a = &pairs->a, *b = &pairs->b;
	bool same = a->count == b->count;
	size_t i = 0, j = 0;
	costs cost = {{0}};

	fill_costs(cost, a, b);
	while (i < a->count || j < b->count) {
		bool both = i < a->count && j < b->count;
		bool alone_a = !same && i < a->count && (!both || cost[i][j] >= ALONE + cost[i + 1][j]);
		bool alone_b = !same && !alone_a && j < b->count && (!both || cost[i][j] >= ALONE + cost[i][j + 1]);
		pairs->items[pairs->count++] =
			(struct phase_pair){alone_b ? NULL : &a->items[i], alone_a ? NULL : &b->items[j]};
		i += !alone_b;
		j += !alone_a;
	}
}

void pairs_make(struct pairs *pairs, const struct model *a, const struct model *b)
{
	pairs->count = 0;
	take_phases(&pairs->a, a);
	take_phases(&pairs->b, b);
	pair(pairs);
}

/* -- a common axis --------------------------------------------------------------------------------- */

double pairs_width(const struct phase_pair *pair)
{
	double a = pair->a ? pair->a->stop - pair->a->start : 0, b = pair->b ? pair->b->stop - pair->b->start : 0;

	return fmax(a, b);
}

void pairs_course(struct course *course, const struct pairs *pairs, bool of_b, double start)
{
	*course = (struct course){0};
	for (size_t i = 0; i < pairs->count; i++) {
		const struct phase_pair *both = &pairs->items[i];
		const struct phase *own = of_b ? both->b : both->a;
		double width = pairs_width(both);
		if (own)
			course->stretches[course->count++] = (struct stretch){
				own->start - start, own->stop - start, course->seconds, course->seconds + width};
		course->seconds += width;
	}
}

int pairs_course_like(struct course *course, const struct course *like, const struct model *model)
{
	struct phases phases;

	*course = *like;
	if (like->count == 0)
		return 0;
	take_phases(&phases, model);
	if (phases.count != like->count)
		return -1;
	for (size_t i = 0; i < phases.count; i++) {
		course->stretches[i].from = phases.items[i].start - model->run->start_time;
		course->stretches[i].to = phases.items[i].stop - model->run->start_time;
	}
	return 0;
}
