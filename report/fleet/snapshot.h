/* SPDX-License-Identifier: Apache-2.0 */
/* The snapshot format of the predecessor, resource-tracker: JSON with the request, the machine, and the rows of
 * process.csv and system.csv. */
#ifndef RTRACK_REPORT_FLEET_SNAPSHOT_H
#define RTRACK_REPORT_FLEET_SNAPSHOT_H

#include "report/spool/run.h"

#include <zlib.h>

/* Writes a run as a snapshot. Keys of an imported snapshot are copied unchanged. The additional key "rtrack", which the
 * predecessor ignores, contains run.json. */
void snapshot_write(gzFile out, const struct run *run);

struct snapshot {
	struct {
		const char *text;
		size_t length;
	} rows[2];      /* process_metrics and system_metrics in the caller's text; length 0 means no rows */
	cJSON *content; /* all other keys */
};

/* Finds the parts of a JSON text, which must outlive the snapshot. Returns NULL, or why the text is not a snapshot. */
const char *snapshot_read(struct snapshot *snapshot, const char *text, size_t length);
void snapshot_free(struct snapshot *snapshot);

/* Returns whether the text is CSV whose first column is `timestamp`. `export --to csv` and the Rust resource-tracker
 * write such files. */
bool snapshot_is_csv(const char *text, size_t length);
/* Converts CSV with `timestamp` as first column to a snapshot in JSON. The other column names begin with `process_` or
 * `system_`. Returns NULL, or an error message. The caller must free *json in either case. */
const char *snapshot_of_csv(char **json, const char *text, size_t length);

/* Writes a JSON array of rows as CSV. Columns named in `unknown`, which may be NULL, are left empty. Returns NULL, or
 * an error message. */
const char *snapshot_write_table(FILE *out, const char *text, size_t length, const cJSON *unknown);

#endif
