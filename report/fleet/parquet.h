/* SPDX-License-Identifier: Apache-2.0 */
/* Parquet, written by DuckDB. */
#ifndef RTRACK_REPORT_FLEET_PARQUET_H
#define RTRACK_REPORT_FLEET_PARQUET_H

#include "report/fleet/run_source.h"

#include <stdio.h>

/* Writes the statements that put each table of a source below `directory`/`within`, as
 * TABLE/date=YYYY-MM-DD/BATCH_N.parquet; `within` begins with '/' or is "". */
void parquet_write_sql(
	FILE *out, const struct run_source *source, const char *directory, const char *within, const char *batch);

enum parquet_result { PARQUET_DONE, PARQUET_NO_ENGINE, PARQUET_FAILED };

/* Runs the statements by the program `duckdb`, or by the module of `python3` if there is no such program on PATH. What
 * it prints goes to stderr. */
enum parquet_result parquet_run(FILE *statements);

#endif
