/* SPDX-License-Identifier: Apache-2.0 */
/* Bodies of OTLP requests: ExportMetricsServiceRequest in its JSON encoding. */
#ifndef RTRACK_REPORT_FLEET_OTLP_H
#define RTRACK_REPORT_FLEET_OTLP_H

#include "core/columns.h"
#include "report/model/total.h"
#include "report/spool/run.h"

enum { OTLP_ROWS_MAX = 500 };

struct otlp_points {
	const struct table *table;
	size_t rows;
	double values[OTLP_ROWS_MAX][COLUMNS_MAX]; /* for a counter, the sum of all rows so far; or UNKNOWN */
};

/* The caller frees the text. */
char *otlp_body_of_points(const struct run *run, const struct otlp_points *points);
char *otlp_body_of_totals(const struct run *run, const struct totals *totals);

#endif
