/* SPDX-License-Identifier: Apache-2.0 */
/* Reads all runs of one or more spools, grouped by job, for a site of pages. */
#ifndef RTRACK_REPORT_PAGE_SITE_H
#define RTRACK_REPORT_PAGE_SITE_H

#include "report/history/uses.h"
#include "report/history/waste.h"
#include "report/page/trend.h"
#include "report/spool/choice.h"

#include <stdio.h>

/* The figures of a run. They are kept in memory, because the pages of later runs also show them. */
struct site_item {
	struct digest digest;
	struct waste waste; /* unused resources; of concurrent runs, only the first is charged */
};

struct site_job {
	char *key;          /* owned: result of job_key */
	char *name;         /* owned: the job's name, or the result of job_key_title if several jobs have that name */
	struct trend trend; /* the job's runs; `position` in a run is its index in `items` */
	struct site_item *items;
	size_t count;
	struct waste waste;
	size_t failed; /* number of runs that ended but did not finish */
};

struct site {
	struct site_job *jobs; /* sorted by the time of their last run, latest first */
	size_t count;
	char *const *spools;
	bool several;     /* true if the spools are more than one directory */
	size_t run_count; /* number of all runs in the spools, selected or not */
};

/* Reads the selected runs. The job in `choice` is a glob. If the same spool is given twice, its runs are read only
 * once. Two runs with the same name in different spools have a page each. Returns 0, or -1 after a message. */
int site_read(struct site *site, char *const *spools, size_t spool_count, const struct choice *choice);
void site_free(struct site *site);

/* Returns the run with this id directly inside another run of the site, or NULL. `site` may be NULL. */
const struct trend_run *site_inner_run(const struct site *site, const struct trend_run *outer, const char *id);

/* Copies the runs before the run at `place` in its job's trend, until uses_want_more returns false. */
void site_earlier(struct uses *uses, const struct site_job *job, size_t place, size_t limit);
/* Finds at most `limit` finished runs before the run at `place`, latest first. Returns the number of these runs. */
size_t site_history(const struct digest **digests, const struct site_job *job, size_t place, size_t limit);

/* Write the index, the page of a job, and the page of a run without records, which is given by its id. Each function
 * returns 0, or -1 with errno. Links point to jobs/NAME.html and runs/PAGE.html. The function trend_file_name makes
 * these names. */
int site_write_index(FILE *out, const void *site);
int site_write_job(FILE *out, const void *job);
int site_write_nothing(FILE *out, const void *id);

#endif
