/* SPDX-License-Identifier: Apache-2.0 */
/* What the job marked with rtrack_mark: mark.csv. */
#ifndef RTRACK_REPORT_SPOOL_MARKS_H
#define RTRACK_REPORT_SPOOL_MARKS_H

#include "report/say/json.h"

#include <stddef.h>

enum { MARKS_MAX = 200 }; /* as many as a page shows; of more, the first are kept */

struct mark {
	double time; /* seconds since 1970 */
	double pid;
	char *label; /* as it is in the file: a text of the job */
};

struct marks {
	size_t total;  /* in the file */
	size_t count;  /* kept */
	double latest; /* time of the last one */
	struct mark *items;
};

struct reader;

/* Takes each mark of the file, also those that are not kept. */
typedef void take_mark_row(void *context, double time, struct reader *reader);

/* Reads mark.csv of a run that began at `start`. Rows stand in the order in which they were written: one that goes back
 * was written after the clock was set, and has the time of the latest before it. A missing file has no marks; one that
 * cannot be read has none either, after a message. */
void marks_load(struct marks *marks, const char *directory, double start, take_mark_row *take, void *context);
void marks_free(struct marks *marks);

/* Adds "marks" to the object: those that are kept. */
void marks_write_json(const struct marks *marks, cJSON *json);

#endif
