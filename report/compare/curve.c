/* SPDX-License-Identifier: Apache-2.0 */
/* Computes a figure of one side over time. */
#include "report/compare/curve.h"

#include "core/columns.h"

#include <math.h>

/* Distributes the value of a row, which covers the time `from` … `to`, over the intervals of the curve. */
static void spread(double *sums, double *times, double value, double from, double to, double width)
{
	for (int i = (int)fmin(fmax(from / width, 0), CURVE_PARTS); i < CURVE_PARTS && i * width < to; i++) {
		double lasted = fmin(to, (i + 1) * width) - fmax(from, i * width);
		if (lasted > 0) {
			sums[i] += value * lasted;
			times[i] += lasted;
		}
	}
}

/* Like spread, but `from` and `to` are times since the start of the run. They are converted to the axis in `course`
 * first. */
static void spread_on(double *sums, double *times, double value, double from, double to, const struct course *course)
{
	double width = course->seconds / CURVE_PARTS;

	if (course->count == 0)
		spread(sums, times, value, from, to, width);
	for (size_t i = 0; i < course->count; i++) {
		const struct stretch *stretch = &course->stretches[i];
		double scale = (stretch->end - stretch->begin) / (stretch->to - stretch->from);
		double first = fmax(from, stretch->from), last = fmin(to, stretch->to);
		if (first < last)
			spread(sums, times, value, stretch->begin + (first - stretch->from) * scale,
				stretch->begin + (last - stretch->from) * scale, width);
	}
}

static void take_means(double means[CURVE_PARTS], const struct model *model, int column, const struct course *course)
{
	double sums[CURVE_PARTS] = {0}, times[CURVE_PARTS] = {0};
	const struct series *process = &model->process;
	double before = 0;

	for (size_t row = 0; row < process->rows; row++) {
		double now = series_value(process, 0, row) - model->run->start_time;
		double value = series_value(process, column, row);
		if (number_known(value) && now > before)
			spread_on(sums, times, value, before, now, course);
		before = now;
	}
	for (int i = 0; i < CURVE_PARTS; i++)
		means[i] = times[i] > 0 ? sums[i] / times[i] : UNKNOWN;
}

static void add(struct curve *curve, const double *means)
{
	for (int i = 0; i < CURVE_PARTS; i++) {
		curve->least[i] = fmin(curve->least[i], means[i]);
		curve->greatest[i] = fmax(curve->greatest[i], means[i]);
		curve->peak = fmax(curve->peak, means[i]);
	}
}

void curve_make(struct curve *curve, const struct side *side, int column, const struct course *course)
{
	const struct model_wish wish = {.sections = MODEL_COURSE, .process_columns = SERIES_COLUMN(column)};
	double means[CURVE_PARTS];
	struct course own;
	struct model model;
	struct run run;

	*curve = (struct curve){.peak = UNKNOWN};
	for (int i = 0; i < CURVE_PARTS; i++)
		curve->least[i] = curve->greatest[i] = UNKNOWN;
	take_means(curve->run, &side->model, column, course);
	add(curve, curve->run);
	for (size_t i = 0; i + 1 < side->runs; i++) {
		if (run_open(&run, side->directories[i]) != 0)
			continue;
		model_read(&model, &run, &wish);
		if (pairs_course_like(&own, course, &model) == 0) {
			take_means(means, &model, column, &own);
			add(curve, means);
		} else {
			curve->left_out++;
		}
		model_free(&model);
		run_close(&run);
	}
}
