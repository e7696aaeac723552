/* SPDX-License-Identifier: Apache-2.0 */
/* Sums tables over several runs, tick by tick. */
#include "report/model/group_sum.h"

#include "report/say/alloc.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { TIMESTAMP = 0 }; /* first column of every table */

/* Three years at 0.1 s, or 8 GiB per column. If a group seems to last longer, a clock was wrong. */
static const double TICKS_MAX = 1e9;

/* Returns the number of the tick that contains `time`. Timestamps are rounded to milliseconds, so a time up to 2 ms
 * after the end of a tick belongs to that tick. */
static double tick_of(const struct sum *sum, double time)
{
	return ceil(time / sum->interval - 0.002 / sum->interval);
}

/* Converts a time to units of ticks. A time up to 2 ms after the end of a tick becomes the end of that tick. */
static double place_of(const struct sum *sum, double time)
{
	return fmin(time / sum->interval, tick_of(sum, time));
}

static bool can_be_added(const struct column *column)
{
	return column->kind == KIND_GAUGE || column->kind == KIND_COUNTER;
}

int sum_begin(struct sum *sum, enum table_id table, double start, double stop, double interval, uint64_t columns)
{
	struct sum made = {
		.interval = interval, .series = {.table = &tables[table]}, .end = {.row = SIZE_MAX, .time = -INFINITY}};
	made.first = tick_of(&made, start);
	made.start = place_of(&made, start);
	made.stop = place_of(&made, stop);
	double ticks = tick_of(&made, stop) - made.first + 1;

	if (!(ticks >= 1 && ticks < TICKS_MAX)) {
		errno = E2BIG;
		return -1;
	}
	made.series.rows = (size_t)ticks;
	made.there = xcalloc(made.series.rows, sizeof *made.there);
	for (size_t column = 0; column < made.series.table->count; column++) {
		if (column != TIMESTAMP && (!(columns & SERIES_COLUMN(column)) ||
						   !can_be_added(&table_columns(made.series.table)[column])))
			continue;
		double *values = xreallocarray(NULL, made.series.rows, sizeof *values);
		for (size_t row = 0; row < made.series.rows; row++)
			values[row] = column == TIMESTAMP ? fmin((made.first + (double)row) * interval, stop) : UNKNOWN;
		made.series.columns[column] = values;
	}
	*sum = made;
	return 0;
}

void sum_cap(struct sum *sum, int column, double most)
{
	double *values = sum->series.columns[column];

	for (size_t row = 0; values && row < sum->series.rows; row++)
		if (values[row] > most)
			values[row] = most;
}

void sum_free(struct sum *sum)
{
	series_free(&sum->series);
	free(sum->there);
	*sum = (struct sum){0};
}

/* The rows of a sum that an input row covers, from `begin` to `end`, inclusive. If the input row begins within a
 * tick, `touched` is the row of that tick; otherwise it equals `begin`. */
struct span {
	size_t touched, begin, end;
	double from, to; /* times in ticks */
};

static struct span span_of(const struct sum *sum, double after, double time)
{
	double last = (double)sum->series.rows - 1;
	double end = fmin(fmax(tick_of(sum, time) - sum->first, 0), last);
	double begin = fmin(fmax(tick_of(sum, after) + 1 - sum->first, 0), end);
	double from = place_of(sum, after);
	double touched = fmin(fmax(floor(from) + 1 - sum->first, 0), begin);
	return (struct span){(size_t)touched, (size_t)begin, (size_t)end, from, place_of(sum, time)};
}

/* Returns which share of the tick `row` lies between `from` and `to`, which are in units of ticks. */
static double part_of_tick(const struct sum *sum, size_t row, double from, double to)
{
	double end = sum->first + (double)row;
	return fmax(fmin(to, end) - fmax(from, end - 1), 0);
}

/* Adds a gauge to each row of the span. `already` is what this run has added to the first row so far. If two input
 * rows fall into one tick, only the larger value is added. */
static void add_gauge(double *values, struct span span, double value, double already)
{
	for (size_t row = span.begin; row <= span.end; row++) {
		double given = row == span.begin ? known_first(already, 0) : 0;
		known_add(&values[row], value > given ? value - given : 0);
	}
}

/* Keeps the largest value of all machines, because shares of time cannot be summed. */
static void take_share(double *values, struct span span, double value)
{
	for (size_t row = span.begin; row <= span.end; row++)
		values[row] = known_larger(values[row], value);
}

/* Divides a counter among ticks in proportion to time, because an input row may begin and end within ticks. If the
 * row has no duration or is outside the range, adds the whole value to the last tick. */
static void add_counter(const struct sum *sum, double *values, struct span span, double value)
{
	double all = 0;

	for (size_t row = span.touched; row <= span.end; row++)
		all += part_of_tick(sum, row, span.from, span.to);
	for (size_t row = all > 0 ? span.touched : span.end; row <= span.end; row++)
		known_add(&values[row], all > 0 ? value * part_of_tick(sum, row, span.from, span.to) / all : value);
}

/* Converts the mean over an input row to means over ticks. If the input row covers only a part of a tick, the mean
 * of the tick is smaller, because the run used nothing in the rest of it. */
static void add_rate(const struct sum *sum, double *values, struct span span, double value)
{
	for (size_t row = span.touched; row <= span.end; row++) {
		double whole = part_of_tick(sum, row, sum->start, sum->stop);
		double part = part_of_tick(sum, row, span.from, span.to);
		known_add(&values[row], whole > 0 ? value * part / whole : value);
	}
}

/* A column that is being added: the values of the run, the sums, and the amount that the last input row added to its
 * tick. */
struct adding {
	const double *from;
	double *to;
	bool counter, share, rate;
	double given;
};

static void add_value(const struct sum *sum, struct adding *column, size_t row, struct span span, bool same_tick)
{
	double value = column->from[row];

	if (column->share || column->counter || column->rate) {
		if (!number_known(value))
			return;
		if (column->share)
			take_share(column->to, span, value);
		else if (column->counter)
			add_counter(sum, column->to, span, value);
		else
			add_rate(sum, column->to, span, value);
		return;
	}
	double already = same_tick ? column->given : UNKNOWN;
	if (number_known(value))
		add_gauge(column->to, span, value, already);
	column->given = span.begin == span.end ? known_larger(already, value) : value;
}

static void mark_there(struct sum *sum, double start, double stop)
{
	size_t first = span_of(sum, start, start).begin, last = span_of(sum, stop, stop).end;

	memset(sum->there + first, true, last - first + 1);
}

void sum_fill_gaps(struct sum *sum)
{
	for (size_t column = TIMESTAMP + 1; column < sum->series.table->count; column++) {
		double *values = sum->series.columns[column];
		if (!values || !number_known(series_max(&sum->series, (int)column)))
			continue;
		for (size_t row = 0; row < sum->series.rows; row++)
			if (!sum->there[row])
				values[row] = 0;
	}
}

/* Returns whether a column is a mean over the time since the row before. Only the CPU usage of a run is such a mean;
 * the CPU usage of a machine is added like a gauge. */
static bool is_rate(const struct sum *sum, size_t column)
{
	return sum->series.table == &tables[TABLE_process] && column == PROCESS_cpu_usage;
}

void sum_add(struct sum *sum, const struct series *rows, double start, double stop)
{
	struct adding columns[COLUMNS_MAX];
	struct sum_end *end = &sum->end;
	bool goes_on = start >= end->time;
	size_t count = 0;
	bool is_first = true;
	double after = start;
	size_t last = goes_on ? end->row : SIZE_MAX;

	mark_there(sum, start, stop);
	for (size_t column = TIMESTAMP + 1; column < sum->series.table->count; column++)
		if (sum->series.columns[column] && rows->columns[column])
			columns[count++] = (struct adding){rows->columns[column], sum->series.columns[column],
				table_columns(sum->series.table)[column].kind == KIND_COUNTER,
				strcmp(column_unit(&table_columns(sum->series.table)[column]), "%") == 0,
				is_rate(sum, column), goes_on && last != SIZE_MAX ? end->given[column] : UNKNOWN};
	for (size_t row = 0; row < rows->rows; row++) {
		double time = series_value(rows, TIMESTAMP, row);
		if (!number_known(time))
			continue;
		struct span span = span_of(sum, after, time);
		if (is_first)
			span.begin = span.touched;
		is_first = false;
		for (size_t i = 0; i < count; i++)
			add_value(sum, &columns[i], row, span, span.begin == last);
		last = span.end;
		after = time;
	}
	if (!(after >= end->time) || last == SIZE_MAX)
		return;
	*end = (struct sum_end){.row = last, .time = after};
	for (size_t column = 0, i = 0; column < COLUMNS_MAX; column++) {
		bool added = i < count && columns[i].to == sum->series.columns[column];
		end->given[column] = added ? columns[i++].given : UNKNOWN;
	}
}
