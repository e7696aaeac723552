/* SPDX-License-Identifier: Apache-2.0 */
/* Loads selected columns of a table of a run.
 *
 * Columns are found by the names in the file's header. Unknown names are ignored, and missing columns are unknown.
 * report/spool/reader.h decides which lines are rows, and reports other lines. Each row needs 8 bytes of memory per
 * loaded column, because the text of the file is not kept. */
#ifndef RTRACK_REPORT_SPOOL_SERIES_H
#define RTRACK_REPORT_SPOOL_SERIES_H

#include "core/columns.h"
#include "core/number.h"
#include "report/spool/files.h"

struct series {
	const struct table *table;
	size_t rows;
	/* one array per column of the table; NULL if the column was not requested or is not in the file */
	double *columns[COLUMNS_MAX];
	size_t left_out;  /* number of lines that are not rows */
	size_t bad_cells; /* number of cells that are not numbers */
};

#define SERIES_COLUMN(position) (UINT64_C(1) << (position))
#define SERIES_ALL UINT64_MAX

/* Loads the timestamp and the columns in the bit mask `wanted`, which must not include text columns. Returns 0, or -1
 * with errno if the file cannot be opened or has no valid header. On failure, *series is empty and needs no
 * series_free. A failure is reported by a message, unless the file does not exist (ENOENT). */
int series_load(struct series *series, const struct files *files, enum table_id table, uint64_t wanted);
void series_free(struct series *series);

/* The value of a cell, or UNKNOWN. */
static inline double series_value(const struct series *series, int column, size_t row)
{
	return series->columns[column] ? series->columns[column][row] : UNKNOWN;
}

/* Returns the first row at or after `time`, or the number of rows if there is none. Timestamps must be ascending. */
size_t series_row_at(const struct series *series, double time);

/* Sum and mean of the known values of a column, or UNKNOWN. */
double series_sum(const struct series *series, int column);
double series_mean(const struct series *series, int column);
/* Mean weighted by time. The weight of a value is the time since the previous row, or since `start` for the first
 * row. */
double series_time_mean(const struct series *series, int column, double start);
double series_max(const struct series *series, int column);
/* Returns the rate at the end of the run. The last row covers only the time until the run's end, which may be a small
 * fraction of an interval. Its own rate could therefore be far too high. The result is the rate over the last
 * `interval` seconds, which includes parts of earlier rows. `counted` converts values to rates per second; 0 if the
 * values are already rates. */
double series_rate_at_end(
	const double *times, const double *values, size_t rows, double start, double interval, double counted);
/* Returns the rate of a row. For the last row, it is the result of series_rate_at_end. For other rows, it is the value
 * in the row. */
double series_rate(const struct series *series, int column, size_t row, double start, double interval);
/* Returns an array with the rates of all rows, or NULL if the column is missing. The caller must free the array. */
double *series_rates(const struct series *series, int column, double start, double interval);
/* The largest rate of all rows. */
double series_peak_rate(const struct series *series, int column, double start, double interval);
/* The last known value. */
double series_last(const struct series *series, int column);

#endif
