/* SPDX-License-Identifier: Apache-2.0 */
/* mark.csv: the marks that a job set with rtrack_mark. */
#ifndef RTRACK_REPORT_SPOOL_MARKS_H
#define RTRACK_REPORT_SPOOL_MARKS_H

#include "report/say/json.h"
#include "report/spool/files.h"

#include <stddef.h>

enum { MARKS_MAX = 200 }; /* maximum number of marks on a page; later marks are dropped */

struct mark {
	double time; /* seconds since 1970 */
	double pid;
	char *label; /* untrusted text of the job */
};

struct marks {
	size_t total;  /* number of marks in the file */
	size_t count;  /* number of loaded marks */
	double latest; /* time of the last mark in the file */
	struct mark *items;
};

struct reader;

/* Callback for each mark of the file, including dropped ones. */
typedef void take_mark_row(void *context, double time, struct reader *reader);

/* Reads mark.csv of a run that began at `start`. Rows are in the order in which they were written. If a timestamp
 * decreases, the clock was set back, and the mark gets the largest earlier timestamp. A missing file counts as empty.
 * An unreadable file also counts as empty, after a message. */
void marks_load(struct marks *marks, const struct files *files, double start, take_mark_row *take, void *context);
void marks_free(struct marks *marks);

/* Adds "marks" to `json`: the loaded ones. */
void marks_write_json(const struct marks *marks, cJSON *json);

#endif
