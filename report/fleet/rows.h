/* The rows of many runs as one file of CSV a table, for an engine to read in one go: to open a file each, and to take
 * its text apart, took DuckDB four times as long as all the rest (measured with 1.5 and 2.0 on runs of a minute). */
#ifndef RTRACK_REPORT_FLEET_ROWS_H
#define RTRACK_REPORT_FLEET_ROWS_H

#include "report/fleet/run_source.h"

/* Writes `directory`/ROWS_PREFIX TABLE with a line for each row of the source's chosen runs: the run, and the table's
 * columns in their order, without a header. Cells are what they are in the runs' files, with as few quotes as make each
 * line one row; of a file with bytes that are no UTF-8, all beyond ASCII is \xNN. Returns 0, or -1 with errno. */
int rows_write(const struct run_source *source, size_t table, const char *directory);

/* Before the name of a table; a store passes over names that begin with a point. */
#define ROWS_PREFIX ".rows-"

#endif
