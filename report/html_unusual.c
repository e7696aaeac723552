/* What of a run is far from the earlier runs of its job: a sentence, or nothing.
 *
 * A figure is compared with the median of the earlier runs, which one odd run among them does not move, and is said
 * when it is half as much again, or less than two thirds. Fewer than three runs make no habit. */
#include "report/html_model.h"
#include "report/html_text.h"
#include "report/stats.h"

#include "core/number.h"

#include <stdlib.h>

enum { HABIT_MIN = 3, HABIT_MAX = 64 };
static const double FAR = 1.5;

static double duration_of(const struct stats *stats)
{
	return stats->of[STAT_process_timestamp].duration;
}

static double cpu_of(const struct stats *stats)
{
	return stats->of[STAT_process_cpu_usage].mean;
}

static double memory_of(const struct stats *stats)
{
	return stats->of[STAT_process_memory_mib].max;
}

static int by_size(const void *a, const void *b)
{
	const double *x = a, *y = b;
	return *x < *y ? -1 : *x > *y;
}

static double median_of(const struct html_model *model, double (*figure)(const struct stats *stats))
{
	double known[HABIT_MAX];
	size_t count = 0;

	for (size_t i = 0; i < model->earlier_count && count < HABIT_MAX; i++)
		if (number_known(figure(&model->earlier[i])))
			known[count++] = figure(&model->earlier[i]);
	if (count < HABIT_MIN)
		return UNKNOWN;
	qsort(known, count, sizeof *known, by_size);
	return (known[(count - 1) / 2] + known[count / 2]) / 2;
}

void html_write_unusual(FILE *out, const struct html_model *model)
{
	static const struct {
		const char *name;
		double (*figure)(const struct stats *stats);
	} figures[] = {{"duration", duration_of}, {"mean CPU usage", cpu_of}, {"peak memory", memory_of}};
	const char *separator = "<p class=\"note\">Unusual: ";
	bool any = false;

	for (size_t i = 0; i < ARRAY_LENGTH(figures); i++) {
		double ratio = figures[i].figure(model->now) / median_of(model, figures[i].figure);
		if (!(ratio > FAR) && !(ratio < 1 / FAR))
			continue;
		html_write(out, "%s%s %.1f×", separator, figures[i].name, ratio);
		separator = ", ";
		any = true;
	}
	if (any)
		html_write(out, " the median of %zu earlier runs.</p>\n", model->earlier_count);
}
