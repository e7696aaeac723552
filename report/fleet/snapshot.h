/* The predecessor's snapshot: JSON with the request, the machine, and the rows of both series. */
#ifndef RTRACK_REPORT_FLEET_SNAPSHOT_H
#define RTRACK_REPORT_FLEET_SNAPSHOT_H

#include "report/spool/run.h"

#include <zlib.h>

/* Writes the run. Keys of an imported snapshot are written as they came; "rtrack" with run.json is our own key, which
 * the predecessor ignores. Returns 0, or -1 with errno when there is no memory. */
int snapshot_write(gzFile out, const struct run *run);

struct snapshot {
	const char *text; /* the caller's; must stay until snapshot_free */
	struct {
		const char *text;
		size_t length;
	} rows[2];      /* the arrays of process_metrics and of system_metrics; of no length without a row */
	cJSON *content; /* every other key */
};

/* Finds the parts of a JSON text. Returns NULL, or why it is no snapshot. */
const char *snapshot_read(struct snapshot *snapshot, const char *text, size_t length);
void snapshot_free(struct snapshot *snapshot);

/* Whether it is a table with `timestamp` as its first column: of `export --to csv`, or the Rust resource-tracker. */
bool snapshot_is_csv(const char *text, size_t length);
/* Makes the JSON of a snapshot of it: columns with `process_` and `system_` before their names. Returns NULL, or what
 * is wrong with it. The caller frees *json in either case. */
const char *snapshot_of_csv(char **json, const char *text, size_t length);

/* Writes the rows of an array as a table. Returns NULL, or what is wrong with them.
 * `unknown` names columns that become empty, or is NULL. */
const char *snapshot_write_table(FILE *out, const char *text, size_t length, const cJSON *unknown);

#endif
