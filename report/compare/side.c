/* SPDX-License-Identifier: Apache-2.0 */
/* Reads one side of a comparison. */
#include "report/compare/side.h"

#include "report/history/history.h"
#include "report/model/median.h"
#include "report/say/alloc.h"
#include "report/say/message.h"
#include "report/spool/runs.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void side_figures(double figures[MEASURE_COUNT], const struct totals *totals, const struct stats *stats)
{
#define MEASURE(name, unit, label, value) figures[MEASURE_##name] = value;
#include "report/compare/measures.def"
}

static void take_medians(struct side *side, double (*figures)[MEASURE_COUNT])
{
	double *values = xcalloc(side->runs, sizeof *values);

	for (int i = 0; i < MEASURE_COUNT; i++) {
		for (size_t run = 0; run < side->runs; run++)
			values[run] = figures[run][i];
		side->least[i] = side->greatest[i] = UNKNOWN;
		for (size_t run = 0; run < side->runs; run++) {
			side->least[i] = fmin(side->least[i], values[run]);
			side->greatest[i] = fmax(side->greatest[i], values[run]);
		}
		side->figures[i] = median_known(values, side->runs);
	}
	free(values);
}

/* Replaces an unfinished run by the latest finished run of the same job before it, if there is one. Medians must be
 * computed from finished runs, and all other data of the side must belong to the same run. */
static void make_way(struct run *run)
{
	struct history history;
	struct run finished;

	if (strcmp(run->status, "finished") == 0)
		return;
	history_read(&history, run, 1);
	if (history.count > 0 && run_open(&finished, history.directories[0]) == 0) {
		run_close(run);
		*run = finished;
	}
	history_free(&history);
}

static void read_figures(struct side *side, size_t limit)
{
	struct history history;

	history_read(&history, &side->run, limit - 1);
	side->runs = history.count + 1;
	double(*figures)[MEASURE_COUNT] = xcalloc(side->runs, sizeof *figures);
	side_figures(figures[0], &side->model.totals, &side->model.stats);
	for (size_t i = 0; i < history.count; i++)
		side_figures(figures[i + 1], &history.totals[i], &history.runs[i]);
	take_medians(side, figures);
	side->directories = history.directories;
	history.directories = NULL;
	free(figures);
	history_free(&history);
}

int side_read(struct side *side, const struct spools *spools, const char *labels, const char *selector, size_t limit,
	unsigned sections)
{
	const struct model_wish wish = {.sections = sections};

	*side = (struct side){0};
	if (runs_select(&side->run, spools, labels, selector, NULL) != 0)
		return -1;
	if (side->run.problem)
		message_print("'%s/%s' cannot be read: %s", side->run.directory, SPOOL_RUN_FILE, side->run.problem);
	if (limit > 1)
		make_way(&side->run);
	model_read(&side->model, &side->run, &wish);
	if (model_check(&side->model) != 0) {
		side_free(side);
		return -1;
	}
	read_figures(side, limit);
	return 0;
}

void side_take(struct side *side, struct run *run, struct model *model)
{
	*side = (struct side){.run = *run, .model = *model, .runs = 1};
	side->model.run = &side->run;
	*run = (struct run){0};
	*model = (struct model){0};
	side_figures(side->figures, &side->model.totals, &side->model.stats);
	memcpy(side->least, side->figures, sizeof side->least);
	memcpy(side->greatest, side->figures, sizeof side->greatest);
}

void side_free(struct side *side)
{
	for (size_t i = 0; side->directories && i + 1 < side->runs; i++)
		free(side->directories[i]);
	free(side->directories);
	model_free(&side->model);
	run_close(&side->run);
}

/* -- earlier runs ------------------------------------------------------------------------------------ */

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
