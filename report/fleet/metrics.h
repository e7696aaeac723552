/* SPDX-License-Identifier: Apache-2.0 */
/* Writes a run as metrics of Prometheus. */
#ifndef RTRACK_REPORT_FLEET_METRICS_H
#define RTRACK_REPORT_FLEET_METRICS_H

#include "report/model/total.h"
#include "report/spool/run.h"

#include <zlib.h>

/* Writes process.csv and system.csv with their own times, as OpenMetrics, which `promtool tsdb create-blocks-from
 * openmetrics` imports: a gauge or a counter for each column, rtrack_TABLE_COLUMN. */
void metrics_write_history(gzFile out, const struct run *run);

/* Writes totals as gauges without a time, rtrack_run_KEY, for a textfile collector or a Pushgateway. All
 * runs of a job have the same labels, so a job is one series. */
void metrics_write_totals(gzFile out, const struct run *run, const struct totals *totals);

/* Begin a family of gauges rtrack_jobs_NAME, and write its line for a job, user and account. */
void metrics_begin_jobs(gzFile out, const char *name, const char *meaning);
void metrics_write_job(
	gzFile out, const char *name, const char *job, const char *user, const char *account, double value);

#endif
