/* Rows of system.csv and process.csv side by side, the Nth of each. */
#ifndef RTRACK_REPORT_FLEET_SENTINEL_ROWS_H
#define RTRACK_REPORT_FLEET_SENTINEL_ROWS_H

#include "report/fleet/batch.h"
#include "report/fleet/ledger.h"

/* How many rows both have. */
uint64_t sentinel_rows_count(const char *run);

/* The rows from `first` to before `last`, with a header, gzipped if `packed`. Returns 0, or -1 with errno. */
int sentinel_rows_read(
	struct batch *rows, const char *run, uint64_t first, uint64_t last, bool packed, const struct ledger *ledger);

#endif
