/* SPDX-License-Identifier: Apache-2.0 */
/* Compares a run with earlier runs of its job. */
#include "report/compare/past.h"

#include "report/model/median.h"

void past_make(struct past *past, const struct totals *totals, const struct stats *stats, const struct history *history)
{
	size_t earlier = history->count < HISTORY_RUNS ? history->count : HISTORY_RUNS;

	*past = (struct past){.count = earlier + 1};
	side_figures(past->figures[earlier], totals, stats);
	for (size_t i = 0; i < earlier; i++)
		side_figures(past->figures[earlier - 1 - i], &history->totals[i], &history->runs[i]);
}

double past_now(const struct past *past, enum measure_id measure)
{
	return past->figures[past->count - 1][measure];
}

double past_median(const struct past *past, enum measure_id measure, size_t *runs)
{
	double values[HISTORY_RUNS];

	*runs = 0;
	for (size_t i = 0; i + 1 < past->count; i++)
		if (number_known(past->figures[i][measure]))
			values[(*runs)++] = past->figures[i][measure];
	return median_known(values, *runs);
}
