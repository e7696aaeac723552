/* SPDX-License-Identifier: Apache-2.0 */
/* Tests of report/model/group_sum.h: the rows of several runs, added tick by tick. */
#include "report/model/group_sum.h"

#include "core/number.h"
#include "tests/unit/lib/tap.h"

enum { RUNS_MAX = 3, ROWS_MAX = 4, TICKS_MAX = 4 };

/* Each run uses one CPU and 100 MiB while it exists. Ticks are one second apart. */
static const struct sum_case {
	const char *what;
	struct {
		double start, ends[ROWS_MAX]; /* times of its rows; 0 ends the list */
	} runs[RUNS_MAX];
	double stop;                                /* end of the last run */
	double times[TICKS_MAX];                    /* expected end of each tick */
	double seconds[TICKS_MAX], cpus[TICKS_MAX]; /* expected length of each tick, and mean number of CPUs in it */
	double memory_mib[TICKS_MAX];               /* expected memory in each tick */
} cases[] = {
	{"rows in time", {{10, {11, 12, 13, 14}}, {10, {11, 12, 13, 14}}}, 14, {11, 12, 13, 14}, {2, 2, 2, 2},
		{2, 2, 2, 2}, {200, 200, 200, 200}},
	{"a late row is distributed by time, not halved", {{10, {11, 12.25, 13, 14}}}, 14, {11, 12, 13, 14},
		{1, 1, 1, 1}, {1, 1, 1, 1}, {100, 100, 100, 100}},
	{"a row that covers three ticks", {{10, {13.5, 14}}}, 14, {11, 12, 13, 14}, {1, 1, 1, 1}, {1, 1, 1, 1},
		{100, 100, 100, 100}},
	{"a run that begins or ends within a tick uses nothing in the rest of it",
		{{10, {11, 12, 13, 14}}, {10, {10.25}}, {13.5, {14}}}, 14, {11, 12, 13, 14}, {1.25, 1, 1, 1.5},
		{1.25, 1, 1, 1.5}, {200, 100, 100, 200}},
	{"the first tick begins with the first run, and the last tick ends with the last run",
		{{10.5, {11, 12, 13, 13.25}}}, 13.25, {11, 12, 13, 13.25}, {0.5, 1, 1, 0.25}, {1, 1, 1, 1},
		{100, 100, 100, 100}},
	{"the first row covers all ticks since the run began", {{10.5, {12.5, 13, 14}}}, 14, {11, 12, 13, 14},
		{0.5, 1, 1, 1}, {1, 1, 1, 1}, {100, 100, 100, 100}},
	{"a row two milliseconds after its tick belongs to that tick", {{10, {11.001953125, 12, 13.001953125, 14}}}, 14,
		{11, 12, 13, 14}, {1.001953125, 0.998046875, 1.001953125, 0.998046875}, {1, 1, 1, 1},
		{100, 100, 100, 100}},
};

static void add_run(struct sum *sum, double start, const double *ends)
{
	double values[3][ROWS_MAX], stop = start;
	struct series rows = {.table = &tables[TABLE_process]};

	for (; rows.rows < ROWS_MAX && ends[rows.rows] > 0; rows.rows++) {
		values[0][rows.rows] = ends[rows.rows] - stop;
		values[1][rows.rows] = 1;
		values[2][rows.rows] = 100;
		stop = ends[rows.rows];
	}
	double times[ROWS_MAX];
	memcpy(times, ends, sizeof times);
	rows.columns[PROCESS_timestamp] = times;
	rows.columns[PROCESS_utime] = values[0];
	rows.columns[PROCESS_cpu_usage] = values[1];
	rows.columns[PROCESS_memory_mib] = values[2];
	sum_add(sum, &rows, start, stop);
}

static void is_case(const struct sum_case *all)
{
	static const int columns[] = {PROCESS_timestamp, PROCESS_utime, PROCESS_cpu_usage, PROCESS_memory_mib};
	const double *const expected[] = {all->times, all->seconds, all->cpus, all->memory_mib};
	struct sum sum;
	bool same = true;

	if (!ok(sum_begin(&sum, TABLE_process, all->runs[0].start, all->stop, 1, SERIES_ALL) == 0, all->what))
		return;
	for (size_t run = 0; run < RUNS_MAX && all->runs[run].start > 0; run++)
		add_run(&sum, all->runs[run].start, all->runs[run].ends);
	/* A run that starts at the end of a tick belongs to that tick. */
	size_t before = sum.series.rows - TICKS_MAX;
	is_number((double)before, all->runs[0].start == 10, all->what);
	for (size_t i = 0; i < ARRAY_LENGTH(columns); i++)
		for (size_t tick = 0; tick < TICKS_MAX; tick++)
			same &= is_number(
				series_value(&sum.series, columns[i], before + tick), expected[i][tick], all->what);
	ok(same, all->what);
	sum_free(&sum);
}

int main(void)
{
	for (size_t i = 0; i < ARRAY_LENGTH(cases); i++)
		is_case(&cases[i]);
	return done();
}
