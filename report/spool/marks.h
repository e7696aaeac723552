/* SPDX-License-Identifier: Apache-2.0 */
/* Reads mark.csv, which has the marks that a job set with rtrack_mark. */
#ifndef RTRACK_REPORT_SPOOL_MARKS_H
#define RTRACK_REPORT_SPOOL_MARKS_H

#include "report/say/json.h"
#include "report/spool/files.h"

#include <stddef.h>

enum { MARKS_MAX = 200 }; /* maximum number of marks on a page; later marks are dropped */

struct mark {
	double time; /* seconds since 1970 */
	double pid;
	char *label; /* text that the job passed to rtrack_mark; untrusted */
};

struct marks {
	size_t total;  /* number of marks in the file */
	size_t count;  /* number of loaded marks */
	double latest; /* time of the last mark in the file */
	struct mark *items;
};

struct reader;

/* Called for each mark in the file, including marks beyond MARKS_MAX. */
typedef void take_mark_row(void *context, double time, struct reader *reader);

/* Reads mark.csv of a run that began at `start`. If a mark's timestamp is less than an earlier one, the clock was set
 * back. Such a mark gets the largest earlier timestamp instead. If the file is missing, there are no marks. If it
 * cannot be read, prints a message, and there are no marks. */
void marks_load(struct marks *marks, const struct files *files, double start, take_mark_row *take, void *context);
void marks_free(struct marks *marks);

/* Adds the loaded marks to `json`, as an array named "marks". */
void marks_write_json(const struct marks *marks, cJSON *json);

#endif
