/* SPDX-License-Identifier: Apache-2.0 */
/* A table of a run, column by column, for those columns that are asked for.
 *
 * Columns are found by the names in the file's header: names that are unknown here are ignored, columns that the file
 * lacks are unknown. Which lines are rows and what is reported of the others: reader.h. The file is read in pieces, so
 * memory is that of the columns: 8 bytes a row and column. */
#ifndef RTRACK_REPORT_SPOOL_SERIES_H
#define RTRACK_REPORT_SPOOL_SERIES_H

#include "core/columns.h"
#include "core/number.h"

struct series {
	const struct table *table;
	size_t rows;
	double *columns[COLUMNS_MAX]; /* by the table's positions; NULL: not asked for, or not in the file */
	size_t left_out;              /* lines that were no rows */
	size_t bad_cells;             /* cells that were no numbers */
};

#define SERIES_COLUMN(position) (UINT64_C(1) << (position))
#define SERIES_ALL UINT64_MAX

/* Loads the columns of the mask `wanted`, which may not name text columns, and the timestamp. A file without a header
 * that can be read gives a series without rows, after a message. Returns 0; or -1 with errno when the file cannot be
 * opened, after a message unless the file does not exist (ENOENT), and then *series is without rows and needs no
 * series_free. */
int series_load(struct series *series, const char *directory, enum table_id table, uint64_t wanted);
void series_free(struct series *series);

/* The figure of a cell, or UNKNOWN. */
static inline double series_value(const struct series *series, int column, size_t row)
{
	return series->columns[column] ? series->columns[column][row] : UNKNOWN;
}

/* The first row at `time` or later, or the number of rows; the times of rows ascend. */
size_t series_row_at(const struct series *series, double time);

/* Sum and mean of all known figures of a column; UNKNOWN when there is none. */
double series_sum(const struct series *series, int column);
double series_mean(const struct series *series, int column);
/* The mean over time: each figure counts for as long as it was since the row before, the first since `start`. */
double series_time_mean(const struct series *series, int column, double start);
double series_max(const struct series *series, int column);
/* The last row's rate. Its tick ends with the run and may be a small part of an interval, in which what came with an
 * end would be many times as much; so it is what was over the last `interval` seconds, of which a part was in the rows
 * before. `counted` is how many a second one of the values makes in a second; 0: they are rates. */
double series_rate_at_end(
	const double *times, const double *values, size_t rows, double start, double interval, double counted);
/* What a row's rate is: its figure, or of the last row the above. */
double series_rate(const struct series *series, int column, size_t row, double start, double interval);
/* The rates of all rows, which the caller frees, or NULL if the column is not there. */
double *series_rates(const struct series *series, int column, double start, double interval);
/* The largest of them. */
double series_peak_rate(const struct series *series, int column, double start, double interval);
/* The last known figure. */
double series_last(const struct series *series, int column);

#endif
