/* SPDX-License-Identifier: Apache-2.0 */
/* Reads all runs of some spools by job, for a site of pages. */
#ifndef RTRACK_REPORT_PAGE_SITE_H
#define RTRACK_REPORT_PAGE_SITE_H

#include "report/history/uses.h"
#include "report/history/waste.h"
#include "report/page/trend.h"
#include "report/spool/choice.h"

#include <stdio.h>

/* A run's figures, kept in memory so that pages of later runs need not read the run again. */
struct site_item {
	struct digest digest;
	struct waste waste; /* concurrent runs are charged once, to the first */
};

struct site_job {
	char *key;          /* owned: result of job_key */
	char *name;         /* owned: job_key_title if several jobs have the same name */
	struct trend trend; /* `position` of its runs is an index into `items` */
	struct site_item *items;
	size_t count;
	struct waste waste;
	size_t failed; /* runs that ended without finishing */
};

struct site {
	struct site_job *jobs; /* sorted by last run, latest first */
	size_t count;
	char *const *spools;
	bool several;     /* the spools are more than one directory */
	size_t run_count; /* all runs in the spools, selected or not */
};

/* Reads the selected runs; the job of `choice` is a glob. A spool that is given twice counts once, but
 * each of two runs with the same name has its own page. Returns 0, or
 * -1 after a message. */
int site_read(struct site *site, char *const *spools, size_t spool_count, const struct choice *choice);
void site_free(struct site *site);

/* Copies the runs before the one at `place` of its job's trend, like uses_read. */
void site_earlier(struct uses *uses, const struct site_job *job, size_t place, size_t limit);
/* Returns the latest finished runs before the one at `place`, like history_read, and their number. */
size_t site_history(const struct digest **digests, const struct site_job *job, size_t place, size_t limit);

/* Write the index, the page of a job, and a placeholder page for a run without records, by its id.
 *
 * Each returns 0, or -1 with errno. Links point to jobs/NAME.html and runs/PAGE.html, named by trend_file_name. */
int site_write_index(FILE *out, const void *site);
int site_write_job(FILE *out, const void *job);
int site_write_nothing(FILE *out, const void *id);

#endif
