/* Rows of system.csv and process.csv side by side, the Nth of each. */
#ifndef RTRACK_REPORT_FLEET_SENTINEL_ROWS_H
#define RTRACK_REPORT_FLEET_SENTINEL_ROWS_H

#include "core/base.h"

/* How many rows both have. */
uint64_t sentinel_rows_count(const char *run);

/* The rows from `first` to before `last`, with a header, gzipped if `packed`. By way of the file `path`, which is
 * replaced. The caller frees *rows.data, behind which a NUL stands. Returns 0, or -1 with errno. */
int sentinel_rows_read(
	struct text *rows, const char *run, uint64_t first, uint64_t last, bool packed, const char *path);

#endif
