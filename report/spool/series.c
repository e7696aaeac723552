/* SPDX-License-Identifier: Apache-2.0 */
/* Loads selected columns of a table of a run. */
#include "report/spool/series.h"

#include "report/say/array.h"
#include "report/spool/reader.h"

#include <math.h>
#include <stdlib.h>

enum { FIRST_ROWS = 1024 };

struct loader {
	struct series series;
	size_t capacity;
	uint64_t wanted;
};

static void grow_series(struct loader *loader)
{
	loader->capacity = loader->capacity == 0 ? FIRST_ROWS : loader->capacity + loader->capacity / 2;
	for (int i = 0; i < COLUMNS_MAX; i++)
		if (loader->wanted & SERIES_COLUMN(i))
			loader->series.columns[i] =
				xreallocarray(loader->series.columns[i], loader->capacity, sizeof(double));
}

static void take_row(struct loader *loader, struct reader *reader)
{
	struct series *series = &loader->series;

	if (series->rows == loader->capacity)
		grow_series(loader);
	for (size_t i = 0; i < series->table->count; i++)
		if (loader->wanted & SERIES_COLUMN(i))
			series->columns[i][series->rows] = reader_number(reader, (int)i);
	series->rows++;
}

static uint64_t number_columns(const struct table *table)
{
	uint64_t mask = 0;
	for (size_t i = 0; i < table->count; i++)
		if (table_columns(table)[i].kind != KIND_TEXT)
			mask |= SERIES_COLUMN(i);
	return mask;
}

int series_load(struct series *series, const struct files *files, enum table_id id, uint64_t wanted)
{
	struct loader loader = {.series.table = &tables[id]};
	struct reader reader;

	*series = loader.series;
	if (reader_open(&reader, files, id) != 0)
		return -1;
	loader.wanted = (wanted | SERIES_COLUMN(0)) & number_columns(&tables[id]) & reader.present;
	while (reader_next(&reader))
		take_row(&loader, &reader);
	loader.series.left_out = reader.left_out;
	loader.series.bad_cells = reader.bad_cells;
	reader_close(&reader);
	*series = loader.series;
	return 0;
}

void series_free(struct series *series)
{
	for (int i = 0; i < COLUMNS_MAX; i++) {
		free(series->columns[i]);
		series->columns[i] = NULL;
	}
	series->rows = 0;
}

size_t series_row_at(const struct series *series, double time)
{
	return series->rows > 0 ? array_lower_bound(series->columns[0], series->rows, time) : 0;
}

/* -- over a column --------------------------------------------------------------------------------- */

struct sum {
	double value;
	double rest; /* remainder of the sum that does not fit into `value` */
	double lost; /* rounding error of `value` (Neumaier's compensated sum) */
	size_t count;
};

static struct sum column_sum(const struct series *series, int column)
{
	struct sum sum = {0};
	const double *values = series->columns[column];

	for (size_t row = 0; values && row < series->rows; row++) {
		double value = values[row];
		if (!number_known(value))
			continue;
		double next = sum.value + value;
		sum.lost += fabs(sum.value) >= fabs(value) ? (sum.value - next) + value : (value - next) + sum.value;
		sum.value = next;
		sum.count++;
	}
	if (isfinite(sum.lost)) {
		double whole = sum.value + sum.lost;
		sum.rest = sum.lost - (whole - sum.value);
		sum.value = whole;
	}
	return sum;
}

double series_sum(const struct series *series, int column)
{
	struct sum sum = column_sum(series, column);
	return sum.count > 0 && isfinite(sum.value) ? sum.value : UNKNOWN;
}

double series_mean(const struct series *series, int column)
{
	struct sum sum = column_sum(series, column);
	if (sum.count == 0 || !isfinite(sum.value))
		return UNKNOWN;
	/* Divide before rounding to double. The last bit of a mean such as 2.675 decides how it is rounded to two
	 * decimals. */
	return (double)(((long double)sum.value + (long double)sum.rest) / (long double)sum.count);
}

double series_time_mean(const struct series *series, int column, double start)
{
	double sum = 0, time = 0, before = start;

	for (size_t row = 0; row < series->rows; row++) {
		double now = series_value(series, 0, row), value = series_value(series, column, row);
		if (number_known(value) && now > before) {
			sum += value * (now - before);
			time += now - before;
		}
		before = now;
	}
	return time > 0 ? sum / time : series_mean(series, column);
}

double series_max(const struct series *series, int column)
{
	const double *values = series->columns[column];
	double largest = UNKNOWN;

	for (size_t row = 0; values && row < series->rows; row++)
		if (number_known(values[row]) && !(values[row] <= largest))
			largest = values[row];
	return largest;
}

double series_rate_at_end(
	const double *times, const double *values, size_t rows, double start, double interval, double counted)
{
	double amount = 0, time = 0;

	if (!(interval > 0) && rows > 0) /* without an interval, use the time that the last row covers */
		interval = times[rows - 1] - (rows > 1 ? times[rows - 2] : start);
	for (size_t row = rows; row-- > 0 && time < interval;) {
		double lasted = times[row] - (row > 0 ? times[row - 1] : start);
		double share = fmin(lasted, interval - time) / lasted;
		if (!(lasted > 0) || !number_known(values[row]))
			continue;
		amount += share * (counted > 0 ? counted * values[row] : values[row] * lasted);
		time += share * lasted;
	}
	bool known = rows > 0 && number_known(values[rows - 1]);
	return !known ? UNKNOWN : time > 0 ? amount / time : counted > 0 ? UNKNOWN : values[rows - 1];
}

double series_rate(const struct series *series, int column, size_t row, double start, double interval)
{
	if (row + 1 < series->rows || !series->columns[column])
		return series_value(series, column, row);
	return series_rate_at_end(series->columns[0], series->columns[column], series->rows, start, interval, 0);
}

double *series_rates(const struct series *series, int column, double start, double interval)
{
	if (!series->columns[column])
		return NULL;
	double *rates = xcalloc(series->rows, sizeof *rates);
	for (size_t row = 0; row < series->rows; row++)
		rates[row] = series_rate(series, column, row, start, interval);
	return rates;
}

double series_peak_rate(const struct series *series, int column, double start, double interval)
{
	double largest = UNKNOWN;

	for (size_t row = 0; series->columns[column] && row < series->rows; row++)
		largest = known_larger(largest, series_rate(series, column, row, start, interval));
	return largest;
}

double series_last(const struct series *series, int column)
{
	const double *values = series->columns[column];

	for (size_t row = values ? series->rows : 0; row > 0; row--)
		if (number_known(values[row - 1]))
			return values[row - 1];
	return UNKNOWN;
}
