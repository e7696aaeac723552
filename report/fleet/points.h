/* Rows of a table with their counters added up from the run's start: what a monitoring system is sent. */
#ifndef RTRACK_REPORT_FLEET_POINTS_H
#define RTRACK_REPORT_FLEET_POINTS_H

#include "core/columns.h"

enum { POINTS_MAX = 500, POINTS_BYTES = 1 << 15 /* of a file in one batch */ };

struct points {
	const struct table *table;
	size_t rows;
	/* By row and the table's position. A counter is the sum of all rows so far; UNKNOWN: the cell is empty. */
	double values[POINTS_MAX][COLUMNS_MAX];
};

/* Reads the rows between two bytes of a table's file, POINTS_MAX at most. The caller frees it; NULL with errno. */
struct points *points_read(const char *run, enum table_id table, uint64_t from, uint64_t end);

#endif
