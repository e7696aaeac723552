/* One side of a comparison; see side.h. */
#include "report/compare/side.h"

#include "report/model/stats.h"
#include "report/model/model.h"
#include "report/history/history.h"
#include "report/history/median.h"
#include "report/say/message.h"
#include "report/spool/runs.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void side_figures(double figures[MEASURE_COUNT], const struct totals *totals, const struct stats *stats)
{
#define MEASURE(name, unit, label, value) figures[MEASURE_##name] = value;
#include "report/compare/measures.def"
#undef MEASURE
}

static int take_run(struct side *side, struct model *model, double figures[MEASURE_COUNT])
{
	struct stats stats;
	struct use use;

	use_make(&use, &side->run, model);
	side->outcome = use.outcome;
	stats_make(&stats, &model->process, &model->system, side->run.interval);
	side_figures(figures, &model->totals, &stats);
	if (processes_lack_figures(&model->processes) &&
		processes_add_members(&model->processes, side->run.directory) != 0)
		return -1;
	return programs_make(&side->programs, &model->processes);
}

static int take_medians(struct side *side, double (*figures)[MEASURE_COUNT])
{
	double *values = malloc(side->runs * sizeof *values);
	if (!values)
		return -1;
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
	return 0;
}

/* A median is of finished runs: one that is not finished makes way for the latest of its job before it that is, if
 * there is one. All that is told of the side is then of that run. */
static int make_way(struct run *run)
{
	struct history history;
	struct run finished;

	if (strcmp(run->status, "finished") == 0)
		return 0;
	if (history_read(&history, run, 1) != 0)
		return -1;
	if (history.count > 0 && run_open(&finished, history.directories[0]) == 0) {
		run_close(run);
		*run = finished;
	}
	history_free(&history);
	return 0;
}

static int read_figures(struct side *side, struct model *model, size_t limit)
{
	struct history history;
	int result = -1;

	if (history_read(&history, &side->run, limit - 1) != 0)
		return -1;
	side->runs = history.count + 1;
	double(*figures)[MEASURE_COUNT] = calloc(side->runs, sizeof *figures);
	if (figures && take_run(side, model, figures[0]) == 0) {
		for (size_t i = 0; i < history.count; i++)
			side_figures(figures[i + 1], &history.totals[i], &history.runs[i]);
		result = take_medians(side, figures);
		side->directories = history.directories;
		history.directories = NULL;
	}
	free(figures);
	history_free(&history);
	return result;
}

int side_read(struct side *side, const char *spool, const char *selector, size_t limit)
{
	struct model model;

	*side = (struct side){0};
	if (runs_select(&side->run, spool, selector, NULL) != 0)
		return -1;
	if (side->run.problem)
		message_print("cannot read '%s/%s': %s", side->run.directory, SPOOL_RUN_FILE, side->run.problem);
	if (limit > 1 && make_way(&side->run) != 0) {
		message_print("no memory");
		side_free(side);
		return -1;
	}
	int result = -1;
	if (model_read(&model, &side->run, stats_columns(TABLE_process) | use_columns(TABLE_process),
		    stats_columns(TABLE_system) | use_columns(TABLE_system)) == 0) {
		result = model_check(&model, &side->run);
		if (result == 0 && read_figures(side, &model, limit) != 0) {
			message_print("no memory");
			result = -1;
		}
		model_free(&model);
	}
	if (result != 0)
		side_free(side);
	return result;
}

int side_take(struct side *side, const struct run *run, struct model *model)
{
	*side = (struct side){.run = *run, .runs = 1};
	if (take_run(side, model, side->figures) != 0)
		return -1;
	memcpy(side->least, side->figures, sizeof side->least);
	memcpy(side->greatest, side->figures, sizeof side->greatest);
	return 0;
}

void side_free(struct side *side)
{
	for (size_t i = 0; side->directories && i + 1 < side->runs; i++)
		free(side->directories[i]);
	free(side->directories);
	programs_free(&side->programs);
	run_close(&side->run);
}
