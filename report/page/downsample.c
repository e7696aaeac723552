/* SPDX-License-Identifier: Apache-2.0 */
/* Reduces series to a size that a page can hold. All charts share one time axis, so the page stores the times only
 * once, and all charts have the same cursor and zoom. A line is computed in one pass, without a copy of its column. */
#include "report/page/downsample.h"

#include "core/number.h"

#include "report/say/alloc.h"

#include <math.h>
#include <stdlib.h>

/* Returns the value of a row, or for a counter, its rate since the previous row. */
static double own_value_at(const struct thin_source *source, size_t row)
{
	double value = source->values[row];
	if (!(source->rate > 0))
		return value;
	double elapsed = source->times[row] - (row > 0 ? source->times[row - 1] : source->before);
	return elapsed > 0 ? source->rate * value / elapsed : UNKNOWN;
}

/* Returns the value to draw for a row. `own` is the result of own_value_at. If rows are averages, the last row has the
 * value source->last instead, because its tick may be short. */
static double drawn_value(const struct thin_source *source, size_t row, double own)
{
	return source->averaged && row + 1 == source->rows ? source->last : own;
}

/* Merges the times of both series into `times`, and returns their number. Times at most `tolerance` apart become one
 * time. */
static size_t merge(const struct thin_source *a, const struct thin_source *b, double tolerance, double *times)
{
	size_t i = 0, j = 0, points = 0;
	while (i < a->rows || j < b->rows) {
		double next_a = i < a->rows ? a->times[i] : INFINITY;
		double next_b = j < b->rows ? b->times[j] : INFINITY;
		bool together = fabs(next_a - next_b) <= tolerance;
		times[points++] = next_a < next_b ? next_a : next_b;
		if (together || next_a < next_b)
			i++;
		if (together || next_b <= next_a)
			j++;
	}
	return points;
}

void thin_axis_make(struct thin_axis *axis, const struct thin_source *a, const struct thin_source *b, double tolerance)
{
	struct thin_axis made = {.rows = a->rows > b->rows ? a->rows : b->rows};
	bool thinned = made.rows > THIN_ROWS;
	made.points = thinned ? THIN_BUCKETS : a->rows + b->rows;
	made.times = xcalloc(made.points, sizeof(*made.times));
	if (thinned) {
		double first = fmin(a->rows ? a->times[0] : INFINITY, b->rows ? b->times[0] : INFINITY);
		double last =
			fmax(a->rows ? a->times[a->rows - 1] : -INFINITY, b->rows ? b->times[b->rows - 1] : -INFINITY);
		made.width = last > first ? (last - first) / THIN_BUCKETS : 1;
		for (size_t i = 0; i < made.points; i++)
			made.times[i] = first + made.width * ((double)i + 0.5);
	} else {
		made.points = merge(a, b, tolerance, made.times);
	}
	*axis = made;
}

void thin_axis_free(struct thin_axis *axis)
{
	free(axis->times);
	*axis = (struct thin_axis){0};
}

static double lasted(const struct thin_source *source, size_t row)
{
	double time = source->times[row] - (row > 0 ? source->times[row - 1] : source->before);
	return time > 0 ? time : 0;
}

/* Returns the index after the rows that are averaged with row `from`. Together, the averaged rows last at least `least`
 * seconds. If fewer seconds remain before the last row, the remaining rows are included. */
static size_t end_of_stretch(const struct thin_source *source, size_t from, double least)
{
	double time = 0;
	size_t end = from, rows = source->rows - 1;

	if (!source->averaged || from == rows)
		return from + 1;
	while (end < rows && (end == from || time < least))
		time += lasted(source, end++);
	return source->times[rows - 1] - source->times[end - 1] < least ? rows : end;
}

static double mean_of_stretch(const struct thin_source *source, size_t from, size_t end)
{
	double sum = 0, time = 0, value = UNKNOWN;

	for (size_t row = from; row < end; row++) {
		value = drawn_value(source, row, own_value_at(source, row));
		if (!number_known(value))
			continue;
		sum += value * lasted(source, row);
		time += lasted(source, row);
	}
	return end - from > 1 && time > 0 ? sum / time : value;
}

static void fill_points(
	const struct thin_axis *axis, const struct thin_source *source, double tolerance, double *points)
{
	size_t point = 0;
	for (size_t from = 0, end; from < source->rows; from = end) {
		end = end_of_stretch(source, from, tolerance);
		double value = mean_of_stretch(source, from, end);
		for (size_t row = from; row < end && point < axis->points; row++) {
			while (point + 1 < axis->points && axis->times[point] < source->times[row] - tolerance)
				point++;
			points[point++] = value;
		}
	}
}

struct bucket {
	double sum, time, plain, count, least, greatest;
};

/* Stores a bucket. The mean is unweighted if the rows of the bucket have no duration. */
static void keep_bucket(const struct thin_line *line, size_t at, const struct bucket *bucket)
{
	if (bucket->count == 0)
		return;
	line->mean[at] = bucket->time > 0 ? bucket->sum / bucket->time : bucket->plain / bucket->count;
	line->least[at] = bucket->least;
	line->greatest[at] = bucket->greatest;
}

/* Fills the buckets. Rows are in order of time, so a bucket is complete when a row of a later bucket appears. */
static void fill_buckets(const struct thin_axis *axis, const struct thin_source *source, const struct thin_line *line)
{
	static const struct bucket empty = {.least = UNKNOWN, .greatest = UNKNOWN};
	struct bucket bucket = empty;
	size_t at = 0;

	for (size_t row = 0; row < source->rows; row++) {
		double own = own_value_at(source, row), long_for = lasted(source, row);
		if (!number_known(own))
			continue;
		double value = drawn_value(source, row, own);
		double place = (source->times[row] - axis->times[0]) / axis->width + 0.5;
		size_t now = place < 0 ? 0 : place < THIN_BUCKETS ? (size_t)place : THIN_BUCKETS - 1;
		if (now != at) {
			keep_bucket(line, at, &bucket);
			bucket = empty;
			at = now;
		}
		bucket.sum += own * long_for;
		bucket.time += long_for;
		bucket.plain += own;
		bucket.count++;
		if (!(bucket.least <= value) && number_known(value))
			bucket.least = value;
		bucket.greatest = known_larger(bucket.greatest, value);
	}
	keep_bucket(line, at, &bucket);
}

void thin_line(
	const struct thin_axis *axis, const struct thin_source *source, double tolerance, const struct thin_line *line)
{
	for (size_t i = 0; i < axis->points; i++)
		line->mean[i] = UNKNOWN;
	for (size_t i = 0; axis->width > 0 && i < axis->points; i++)
		line->least[i] = line->greatest[i] = UNKNOWN;
	if (axis->width > 0)
		fill_buckets(axis, source, line);
	else if (axis->points > 0)
		fill_points(axis, source, tolerance, line->mean);
}

struct thin_summary thin_summarize(const struct thin_source *source)
{
	struct thin_summary summary = {UNKNOWN, UNKNOWN, UNKNOWN};
	double sum = 0, time = 0, total = 0, plain = 0;
	size_t count = 0;
	for (size_t row = 0; row < source->rows; row++) {
		double own = own_value_at(source, row), long_for = lasted(source, row);
		if (number_known(source->values[row]))
			total += source->values[row];
		if (!number_known(own))
			continue;
		sum += own * long_for;
		time += long_for;
		plain += own;
		count++;
		summary.peak = known_larger(summary.peak, drawn_value(source, row, own));
	}
	if (count > 0) {
		summary.mean = time > 0 ? sum / time : plain / (double)count;
		summary.total = total;
	}
	return summary;
}
