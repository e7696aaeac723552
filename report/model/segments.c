/* SPDX-License-Identifier: Apache-2.0 */
/* Finds lasting changes in the level of a few series. */
#include "report/model/phases.h"

#include "core/number.h"
#include "report/model/median.h"
#include "report/say/alloc.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double CLEAR_SHARE = 0.25; /* a change must reach this share of the highest level */
static const double CLEAR_SPREADS = 3;  /* a change must also reach this many standard deviations */
/* the noise is assumed to be at least this share of the highest level */
static const double NOISE_SHARE = 0.05;
/* larger values occur only in damaged files; they are cut so that their squares are finite */
static const double GREATEST = 1e15;
/* For Gaussian values, the standard deviation is the median absolute deviation times this factor. */
static const double MEDIAN_TO_SPREAD = 1.4826;

/* A series in which unknown values are replaced, and its prefix sums. */
struct whole_line {
	double *values;  /* values of the series, none of which is UNKNOWN */
	double *sums;    /* prefix sums of the values */
	double *squares; /* prefix sums of the squares */
	double *moments; /* prefix sums of value × position */
	double *sorted;  /* scratch space for the values of one segment */
	double highest, noise, least;
};

struct search {
	struct whole_line lines[SEGMENTS_SERIES_MAX];
	size_t series, count, shortest;
	double *costs; /* for each position, the cost of the best partition up to it */
	/* for each position, the start of the last segment of that partition; later the boundaries */
	size_t *begins;
	double *memory; /* allocation that holds all arrays except `begins` */
};

static double quantile(double *values, size_t count, double part)
{
	median_sort(values, count);
	return values[(size_t)(part * (double)(count - 1))];
}

/* -- the series ------------------------------------------------------------------------------------ */

/* Copies the values. Replaces an unknown value by the known value before it, or by the first known value. Returns
 * false if no value is known. */
static bool copy_known(double *values, const double *from, size_t count)
{
	double last = UNKNOWN;

	for (size_t i = 0; i < count && !number_known(last); i++)
		last = from[i];
	for (size_t i = 0; i < count; i++) {
		if (number_known(from[i]))
			last = from[i];
		values[i] = fmin(fmax(last, -GREATEST), GREATEST);
	}
	return number_known(last);
}

/* Returns the noise of a series, estimated from the median absolute difference between adjacent values. A few jumps
 * hardly change this median. */
static double noise_of(const struct whole_line *line, size_t count)
{
	for (size_t i = 1; i < count; i++)
		line->sorted[i - 1] = fabs(line->values[i] - line->values[i - 1]);
	return MEDIAN_TO_SPREAD / sqrt(2) * quantile(line->sorted, count - 1, 0.5);
}

static void measure(struct whole_line *line, size_t count)
{
	memcpy(line->sorted, line->values, count * sizeof *line->sorted);
	line->highest = quantile(line->sorted, count, 0.98);
	line->noise = fmax(fmax(noise_of(line, count), NOISE_SHARE * line->highest), CLEAR_SHARE * line->least);
	for (size_t i = 0; i < count; i++) {
		double value = line->values[i];
		line->sums[i + 1] = line->sums[i] + value;
		line->squares[i + 1] = line->squares[i] + value * value;
		line->moments[i + 1] = line->moments[i] + value * (double)i;
	}
}

/* -- the partition --------------------------------------------------------------------------------- */

/* Returns the sum of squared deviations from the mean of the values [begin, end). */
static double deviation(const struct whole_line *line, size_t begin, size_t end)
{
	double sum = line->sums[end] - line->sums[begin];
	double rest = line->squares[end] - line->squares[begin] - sum * sum / (double)(end - begin);
	return fmax(rest, 0);
}

static double cost_of(const struct search *search, size_t begin, size_t end)
{
	double cost = 0;

	for (size_t i = 0; i < search->series; i++) {
		const struct whole_line *line = &search->lines[i];
		cost += deviation(line, begin, end) / (line->noise * line->noise);
	}
	return cost;
}

/* Finds the best partition and writes its boundaries, including 0 and `count`, to begins[]. Returns the number of
 * segments. */
static size_t partition(struct search *search)
{
	double penalty = (double)(search->series + 1) * log((double)search->count);
	size_t segments = 0, count = search->count;

	for (size_t end = 1; end <= count; end++) {
		search->costs[end] = INFINITY;
		for (size_t begin = 0; begin + search->shortest <= end; begin++) {
			double cost = search->costs[begin] + cost_of(search, begin, end) + penalty;
			if (cost < search->costs[end]) {
				search->costs[end] = cost;
				search->begins[end] = begin;
			}
		}
	}
	/* The boundaries are found from last to first, then reversed. */
	size_t *boundaries = search->begins + count + 1;
	for (size_t end = count; end > 0; end = search->begins[end])
		boundaries[segments++] = end;
	for (size_t i = 0; i < segments; i++)
		search->begins[segments - i] = boundaries[i];
	search->begins[0] = 0;
	return segments;
}

/* -- clear changes --------------------------------------------------------------------------------- */

static double median_of(const struct whole_line *line, size_t begin, size_t end)
{
	memcpy(line->sorted, line->values + begin, (end - begin) * sizeof *line->sorted);
	return quantile(line->sorted, end - begin, 0.5);
}

static double mean_between(const struct whole_line *line, size_t begin, size_t end)
{
	return (line->sums[end] - line->sums[begin]) / (double)(end - begin);
}

/* Returns the sum of squared deviations of the values [begin, end) from the straight line that fits best. */
static double deviation_from_ramp(const struct whole_line *line, size_t begin, size_t end)
{
	double n = (double)(end - begin), middle = ((double)begin + (double)end - 1) / 2;
	double slope_sum = line->moments[end] - line->moments[begin] - middle * (line->sums[end] - line->sums[begin]);
	return fmax(deviation(line, begin, end) - slope_sum * slope_sum / (n * (n * n - 1) / 12), 0);
}

/* Returns how clear the step of a series at `middle` is. If the result is below 1, the step is ignored. */
static double clearness(const struct whole_line *line, size_t begin, size_t middle, size_t end)
{
	double means = fabs(mean_between(line, begin, middle) - mean_between(line, middle, end));
	double medians = fabs(median_of(line, begin, middle) - median_of(line, middle, end));
	double step = fmin(means, medians);
	double around = deviation(line, begin, middle) + deviation(line, middle, end);
	double spread = sqrt(around / (double)(end - begin));

	if (!(step > 0) || around > deviation_from_ramp(line, begin, end))
		return 0;
	return step / fmax(fmax(CLEAR_SHARE * line->highest, line->least), CLEAR_SPREADS * spread);
}

static double clearest(const struct search *search, size_t boundary)
{
	const size_t *at = search->begins + boundary;
	double best = 0;

	for (size_t i = 0; i < search->series; i++)
		best = fmax(best, clearness(&search->lines[i], at[-1], at[0], at[1]));
	return best;
}

/* Removes unclear boundaries, the least clear one first. Returns the number of remaining segments. */
static size_t merge(struct search *search, size_t segments)
{
	while (segments > 1) {
		size_t weakest = 1;
		double least = INFINITY;
		for (size_t i = 1; i < segments; i++) {
			double clear = clearest(search, i);
			if (clear < least) {
				least = clear;
				weakest = i;
			}
		}
		if (least >= 1)
			break;
		memmove(search->begins + weakest, search->begins + weakest + 1,
			(segments - weakest) * sizeof *search->begins);
		segments--;
	}
	return segments;
}

/* -- all of it ------------------------------------------------------------------------------------- */

enum { ARRAYS = 5 }; /* arrays per series */

static void prepare_search(struct search *search, const struct level *levels, size_t series)
{
	size_t room = search->count + 1;
	double *next = xcalloc((series * ARRAYS + 1) * room, sizeof *next);

	search->memory = next;
	search->begins = xcalloc(2 * room, sizeof *search->begins);
	search->costs = next;
	for (size_t i = 0; i < series; i++) {
		struct whole_line *line = &search->lines[search->series];
		double **const arrays[ARRAYS] = {
			&line->values, &line->sums, &line->squares, &line->moments, &line->sorted};
		for (size_t j = 0; j < ARRAYS; j++)
			*arrays[j] = next += room;
		line->least = levels[i].least;
		if (!copy_known(line->values, levels[i].values, search->count))
			continue;
		measure(line, search->count);
		search->series++;
	}
}

size_t segments_find(const struct level *levels, size_t series, size_t count, size_t ends[SEGMENTS_MAX])
{
	struct search search = {.count = count, .shortest = count / SEGMENT_FRACTION};
	size_t segments = 1;

	if (count == 0)
		return 0;
	if (search.shortest < SEGMENT_LEAST)
		search.shortest = SEGMENT_LEAST;
	ends[0] = count;
	if (count < 2 * search.shortest)
		return 1;
	prepare_search(&search, levels, series);
	if (search.series > 0)
		segments = merge(&search, partition(&search));
	if (segments > SEGMENTS_MAX)
		segments = 1;
	else if (segments > 1)
		memcpy(ends, search.begins + 1, segments * sizeof *ends);
	free(search.memory);
	free(search.begins);
	return segments;
}
