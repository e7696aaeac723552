/* SPDX-License-Identifier: Apache-2.0 */
/* The predecessor's snapshot: JSON with the request, the machine, and the rows of both series. */
#ifndef RTRACK_REPORT_FLEET_SNAPSHOT_H
#define RTRACK_REPORT_FLEET_SNAPSHOT_H

#include "report/spool/run.h"

#include <zlib.h>

/* Writes the run. Keys of an imported snapshot are written unchanged. The key "rtrack", which the predecessor ignores,
 * has run.json. */
void snapshot_write(gzFile out, const struct run *run);

struct snapshot {
	struct {
		const char *text;
		size_t length;
	} rows[2];      /* the arrays process_metrics and system_metrics in the caller's text; length 0 without a row */
	cJSON *content; /* all other keys */
};

/* Finds the parts of a JSON text, which must outlive the snapshot. Returns NULL, or why it is not a snapshot. */
const char *snapshot_read(struct snapshot *snapshot, const char *text, size_t length);
void snapshot_free(struct snapshot *snapshot);

/* Whether the text is CSV with `timestamp` as its first column, from `export --to csv` or the Rust resource-tracker. */
bool snapshot_is_csv(const char *text, size_t length);
/* Makes a snapshot in JSON of such CSV, with `process_` and `system_` before the names of columns. Returns NULL, or
 * what is wrong. The caller frees *json in either case. */
const char *snapshot_of_csv(char **json, const char *text, size_t length);

/* Writes the rows of an array as CSV. `unknown` names columns to leave empty, or is NULL. Returns NULL, or what is
 * wrong with the rows. */
const char *snapshot_write_table(FILE *out, const char *text, size_t length, const cJSON *unknown);

#endif
