/* SPDX-License-Identifier: Apache-2.0 */
/* Formats the figures of a comparison as text. */
#include "report/compare/compare.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const struct {
	enum unit unit;
	const char *label;
} measures[MEASURE_COUNT] = {
#define MEASURE(name, unit, label, value) {UNIT_##unit, label},
#include "report/compare/measures.def"
};

/* Formats a change, such as "+30 MiB", "-2 s" or "=" (no change). A change that is too small to show is "0 ms". */
static struct figure change_in(enum unit unit, double change)
{
	struct figure figure = {"-"};
	struct figure size = terminal_figure(unit, fabs(change));

	if (change == 0)
		return (struct figure){"="};
	if (!strpbrk(size.text, "123456789"))
		return number_known(change) ? size : figure;
	snprintf(figure.text, sizeof figure.text, "%c%.40s", change < 0 ? '-' : '+', size.text);
	return figure;
}

struct figure compare_percent(double a, double b)
{
	struct figure figure = {""};
	/* changes by at least this factor are shown as "x 12", which is easier to read than a percentage */
	static const double TIMES = 10;
	double percent = condition_percent(a, b);

	if (a > 0 && b >= TIMES * a) {
		snprintf(figure.text, sizeof figure.text, "x %.40s", units_figure(UNIT_count, b / a).text);
		return figure;
	}
	if (a == b || !(fabs(percent) < 1e6))
		return figure;
	if (fabs(percent) < 0.05)
		return (struct figure){"0.0 %"};
	/* do not round to -100 %, because that would mean that nothing is left */
	bool nearly_all = percent > -100 && percent < -99.5;
	snprintf(figure.text, sizeof figure.text, "%+.*f %%", nearly_all || fabs(percent) < 9.95 ? 1 : 0,
		nearly_all ? fmax(percent, -99.9) : percent);
	return figure;
}

const char *compare_label(enum measure_id measure)
{
	return measures[measure].label;
}

enum unit compare_unit(enum measure_id measure)
{
	return measures[measure].unit;
}

const char *compare_part_label(enum measure_id measure)
{
	static const char *const labels[MEASURE_COUNT] = {
#define MEASURE(name, unit, label, value) "  " label,
#include "report/compare/measures.def"
	};

	return labels[measure];
}

struct figure compare_figure(enum measure_id measure, double value)
{
	return terminal_figure(measures[measure].unit, value);
}

struct figure compare_change(enum measure_id measure, double a, double b)
{
	return change_in(measures[measure].unit, b - a);
}
