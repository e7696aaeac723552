/* SPDX-License-Identifier: Apache-2.0 */
/* Writes a run as metrics of Prometheus. */
#ifndef RTRACK_REPORT_FLEET_METRICS_H
#define RTRACK_REPORT_FLEET_METRICS_H

#include "report/model/total.h"
#include "report/spool/run.h"

#include <zlib.h>

/* Writes process.csv and system.csv with their timestamps in OpenMetrics format, for `promtool tsdb create-blocks-from
 * openmetrics`. Each column is a gauge or a counter named rtrack_TABLE_COLUMN. */
void metrics_write_history(gzFile out, const struct run *run);

/* Writes totals as gauges without timestamps, named rtrack_run_KEY, for a textfile collector or a Pushgateway. All runs
 * of a job have the same labels, so each job is one time series. */
void metrics_write_totals(gzFile out, const struct run *run, const struct totals *totals);

/* metrics_begin_jobs begins a family of gauges named rtrack_jobs_NAME. metrics_write_job writes the value of such a
 * gauge for one job, user and account. */
void metrics_begin_jobs(gzFile out, const char *name, const char *meaning);
void metrics_write_job(
	gzFile out, const char *name, const char *job, const char *user, const char *account, double value);

#endif
