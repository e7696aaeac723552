/* Series made small enough for a page: a common time axis of a bounded number of points, and lines on it.
 *
 * All charts share one axis, so that one cursor and one zoom serve them all and the page holds the times once. A line
 * is made in one pass over its column, without a copy of it. */
#include "report/markup/thin.h"

#include "core/number.h"

#include <math.h>
#include <stdlib.h>

static double value_at(const struct thin_source *source, size_t row)
{
	double value = source->values[row];
	if (!(source->rate > 0))
		return value;
	double elapsed = source->times[row] - (row > 0 ? source->times[row - 1] : source->before);
	return elapsed > 0 ? source->rate * value / elapsed : UNKNOWN;
}

/* The points of both series merged; those within `tolerance` of each other are one. */
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

int thin_axis_make(struct thin_axis *axis, const struct thin_source *a, const struct thin_source *b, double tolerance)
{
	struct thin_axis made = {.rows = a->rows > b->rows ? a->rows : b->rows};
	bool thinned = made.rows > THIN_POINTS;
	made.points = thinned ? THIN_POINTS : a->rows + b->rows;
	made.times = calloc(made.points + 1, sizeof(*made.times));
	if (!made.times)
		return -1;
	if (thinned) {
		double first = fmin(a->rows ? a->times[0] : INFINITY, b->rows ? b->times[0] : INFINITY);
		double last =
			fmax(a->rows ? a->times[a->rows - 1] : -INFINITY, b->rows ? b->times[b->rows - 1] : -INFINITY);
		made.width = last > first ? (last - first) / THIN_BUCKETS : 1;
		for (size_t i = 0; i < made.points; i++)
			made.times[i] = first + made.width * (double)i / 2;
	} else {
		made.points = merge(a, b, tolerance, made.times);
	}
	*axis = made;
	return 0;
}

void thin_axis_free(struct thin_axis *axis)
{
	free(axis->times);
	*axis = (struct thin_axis){0};
}

/* The points of a line, and the row that each stands for. */
struct drawn {
	double *points;
	size_t *rows; /* may be NULL */
};

static void put(const struct drawn *drawn, size_t point, double value, size_t row)
{
	drawn->points[point] = value;
	if (drawn->rows)
		drawn->rows[point] = row;
}

static void move(const struct drawn *drawn, size_t from, size_t to)
{
	put(drawn, to, drawn->points[from], drawn->rows ? drawn->rows[from] : SIZE_MAX);
}

static void fill_points(
	const struct thin_axis *axis, const struct thin_source *source, double tolerance, const struct drawn *drawn)
{
	size_t point = 0;
	for (size_t row = 0; row < source->rows && point < axis->points; row++) {
		while (point + 1 < axis->points && axis->times[point] < source->times[row] - tolerance)
			point++;
		put(drawn, point++, value_at(source, row), row);
	}
}

static void fill_buckets(const struct thin_axis *axis, const struct thin_source *source, const struct drawn *drawn)
{
	for (size_t row = 0; row < source->rows; row++) {
		double value = value_at(source, row);
		double at = (source->times[row] - axis->times[0]) / axis->width;
		size_t bucket = at < 0 ? 0 : at >= THIN_BUCKETS ? THIN_BUCKETS - 1 : (size_t)at;
		size_t first = 2 * bucket, second = first + 1;
		double a = drawn->points[first], b = drawn->points[second];
		if (!number_known(value))
			continue;
		if (!number_known(a)) {
			put(drawn, first, value, row);
			put(drawn, second, value, row);
			continue;
		}
		if (!(value < fmin(a, b)) && !(value > fmax(a, b)))
			continue;
		/* The pair keeps the order of time: a new figure comes last, whichever of the two it replaces. */
		if ((value < a) == (b < a))
			put(drawn, second, value, row);
		else {
			move(drawn, second, first);
			put(drawn, second, value, row);
		}
	}
}

void thin_line(
	const struct thin_axis *axis, const struct thin_source *source, double tolerance, double *points, size_t *rows)
{
	const struct drawn drawn = {points, rows};
	for (size_t i = 0; i < axis->points; i++)
		put(&drawn, i, UNKNOWN, SIZE_MAX);
	if (axis->width > 0)
		fill_buckets(axis, source, &drawn);
	else if (axis->points > 0)
		fill_points(axis, source, tolerance, &drawn);
}

struct thin_summary thin_summarize(const struct thin_source *source)
{
	struct thin_summary summary = {UNKNOWN, UNKNOWN, UNKNOWN};
	double sum = 0, time = 0, total = 0, plain = 0;
	size_t count = 0;
	for (size_t row = 0; row < source->rows; row++) {
		double value = value_at(source, row);
		if (number_known(source->values[row]))
			total += source->values[row];
		if (!number_known(value))
			continue;
		double lasted = source->times[row] - (row > 0 ? source->times[row - 1] : source->before);
		if (lasted > 0) {
			sum += value * lasted;
			time += lasted;
		}
		plain += value;
		count++;
		if (!(summary.peak >= value))
			summary.peak = value;
	}
	if (count > 0) {
		summary.mean = time > 0 ? sum / time : plain / (double)count;
		summary.total = total;
	}
	return summary;
}
