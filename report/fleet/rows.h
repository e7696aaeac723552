/* SPDX-License-Identifier: Apache-2.0 */
/* The rows of many runs as one CSV file for each table, which an engine reads at once. Opening and splitting a file for
 * each run took DuckDB four times as long as all the rest (DuckDB 1.5 and 2.0, runs of a minute). */
#ifndef RTRACK_REPORT_FLEET_ROWS_H
#define RTRACK_REPORT_FLEET_ROWS_H

#include "report/fleet/run_source.h"

/* Writes `directory`/ROWS_PREFIX TABLE, without a header, with a line for each row of the chosen runs: the run, then
 * the columns in the order of the table. Cells are copied, quoted only as far as each line is then one row. In a file
 * with bytes that are not UTF-8, each byte beyond ASCII becomes \xNN. Returns 0, or -1 with errno. */
int rows_write(const struct run_source *source, size_t table, const char *directory);

/* Before the name of a table. Engines ignore names that begin with a dot. */
#define ROWS_PREFIX ".rows-"

#endif
