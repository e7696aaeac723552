/* The earlier runs of a run's job; see history.h. */
#include "report/history.h"

#include "report/runs.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static bool is_before(const struct run *earlier, const struct run *run)
{
	if (earlier->start_time != run->start_time)
		return earlier->start_time < run->start_time;
	return strcmp(earlier->id, run->id) < 0;
}

static int read_stats(struct stats *stats, const struct run *run)
{
	struct series process, system;

	if (series_load(&process, run->directory, TABLE_process, stats_columns(TABLE_process)) != 0 && errno == ENOMEM)
		return -1;
	if (series_load(&system, run->directory, TABLE_system, stats_columns(TABLE_system)) != 0 && errno == ENOMEM) {
		series_free(&process);
		return -1;
	}
	stats_make(stats, &process, &system, run->interval);
	int rows = process.rows > 0;
	series_free(&process);
	series_free(&system);
	return rows;
}

static int read_runs(struct history *history, struct runs *runs, const struct run *run, size_t limit)
{
	struct run earlier;
	int result = 0;

	while (result >= 0 && history->count < limit && runs_next(runs, &earlier)) {
		if (strcmp(earlier.job, run->job) == 0 && strcmp(earlier.status, "finished") == 0 &&
			is_before(&earlier, run)) {
			result = read_stats(&history->runs[history->count], &earlier);
			history->count += result > 0;
		}
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

	*history = (struct history){0};
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
