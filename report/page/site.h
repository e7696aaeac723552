/* SPDX-License-Identifier: Apache-2.0 */
/* All runs of some spools by their jobs, for a site of pages. */
#ifndef RTRACK_REPORT_PAGE_SITE_H
#define RTRACK_REPORT_PAGE_SITE_H

#include "report/history/uses.h"
#include "report/history/waste.h"
#include "report/page/trend.h"
#include "report/spool/choice.h"

#include <stdio.h>

/* A run as kept in memory: the pages of later runs use it without reading the run again. */
struct site_item {
	struct digest digest;
	struct waste waste; /* concurrent runs of an allocation are charged once, to the first */
};

struct site_job {
	char *name;         /* owned */
	struct trend trend; /* `position` of its runs is an index of `items` */
	struct site_item *items;
	size_t count;
	struct waste waste;
	size_t failed; /* runs that ended and did not finish */
};

struct site {
	struct site_job *jobs; /* by their last run, the latest first */
	size_t count;
	char *const *spools;
	size_t run_count; /* runs of the spools, chosen or not */
};

/* Reads the runs of the choice, whose job is a glob. A run that is in two of the spools counts once. Returns 0, or -1
 * after a message. */
int site_read(struct site *site, char *const *spools, size_t spool_count, const struct choice *choice);
void site_free(struct site *site);

/* The runs before the one at `place` of its job's trend, as uses_read takes them. */
void site_earlier(struct uses *uses, const struct site_job *job, size_t place, size_t limit);
/* The latest finished of them, as history_read takes them. Returns their count. */
size_t site_history(const struct digest **digests, const struct site_job *job, size_t place, size_t limit);

/* Write the index, the page of a job, and the page of a run without records, by its id.
 *
 * Each returns 0, or -1 with errno. Links go to jobs/NAME.html and runs/ID.html, named by trend_file_name. */
int site_write_index(FILE *out, const void *site);
int site_write_job(FILE *out, const void *job);
int site_write_nothing(FILE *out, const void *id);

#endif
