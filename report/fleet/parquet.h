/* Parquet, written by DuckDB out of a spool. */
#ifndef RTRACK_REPORT_FLEET_PARQUET_H
#define RTRACK_REPORT_FLEET_PARQUET_H

#include "report/fleet/run_source.h"

#include <stdio.h>

/* Writes the statements that put each table of a source below `directory`/`within` ("" is the directory itself), as
 * TABLE/date=YYYY-MM-DD/BATCH_N.parquet. */
void parquet_write_sql(
	FILE *out, const struct run_source *source, const char *directory, const char *within, const char *batch);

enum parquet_result { PARQUET_DONE, PARQUET_NO_ENGINE, PARQUET_FAILED };

/* Has DuckDB do what the file says: the program `duckdb`, else the module of `python3`, whichever is found first on
 * PATH. What it says goes to stderr. */
enum parquet_result parquet_run(FILE *statements);

#endif
