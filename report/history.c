/* The earlier runs of a run's job; see history.h. */
#include "report/history.h"

#include "report/known.h"
#include "report/runs.h"
#include "report/totals.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static bool is_before(const struct run *earlier, const struct run *run)
{
	if (earlier->start_time != run->start_time)
		return earlier->start_time < run->start_time;
	return strcmp(earlier->id, run->id) < 0;
}

struct figures {
	struct series process;
	struct series system;
	struct processes processes;
	struct totals totals;
};

static int load(struct figures *figures, const struct run *run)
{
	if (series_load(&figures->process, run->directory, TABLE_process,
		    stats_columns(TABLE_process) | TOTALS_PROCESS_COLUMNS) != 0 &&
		errno == ENOMEM)
		return -1;
	if (series_load(&figures->system, run->directory, TABLE_system, stats_columns(TABLE_system)) != 0 &&
		errno == ENOMEM)
		return -1;
	if (processes_load(&figures->processes, run->directory) != 0)
		return -1;
	return totals_make(&figures->totals, run, &figures->process, &figures->system, &figures->processes);
}

/* 1: the run is now the last of the history; 0: it has no figures. */
static int add_run(struct history *history, const struct run *run)
{
	struct figures figures = {0};
	int result = load(&figures, run);

	if (result == 0 && figures.process.rows > 0) {
		stats_make(&history->runs[history->count++], &figures.process, &figures.system, run->interval);
		history->peak_memory_mib = known_larger(history->peak_memory_mib, figures.totals.peak_memory_mib);
		result = 1;
	}
	series_free(&figures.process);
	series_free(&figures.system);
	processes_free(&figures.processes);
	return result;
}

static int read_runs(struct history *history, struct runs *runs, const struct run *run, size_t limit)
{
	struct run earlier;
	int result = 0;

	while (result >= 0 && history->count < limit && runs_next(runs, &earlier)) {
		if (strcmp(earlier.job, run->job) == 0 && strcmp(earlier.status, "finished") == 0 &&
			is_before(&earlier, run))
			result = add_run(history, &earlier);
		run_close(&earlier);
	}
	return result < 0 ? -1 : 0;
}

int history_read(struct history *history, const struct run *run, size_t limit)
{
	struct runs runs = {0};
	const char *name = text_basename(text_of(run->directory)).data;
	char *spool = strndup(run->directory, (size_t)(name - run->directory));
	int result = 0;

	*history = (struct history){.peak_memory_mib = UNKNOWN};
	if (spool && runs_list(&runs, spool) == 0) {
		limit = limit < runs.count ? limit : runs.count;
		history->runs = calloc(limit + 1, sizeof *history->runs);
		result = history->runs ? read_runs(history, &runs, run, limit) : -1;
	}
	free(spool);
	runs_free(&runs);
	if (result != 0) {
		history_free(history);
		errno = ENOMEM;
		return -1;
	}
	stats_combine(&history->stats, history->runs, history->count);
	return 0;
}

void history_free(struct history *history)
{
	free(history->runs);
	history->runs = NULL;
	history->count = 0;
}
