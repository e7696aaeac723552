/* SPDX-License-Identifier: Apache-2.0 */
/* What commands on many runs share. */
#ifndef RTRACK_REPORT_COMMANDS_MANY_H
#define RTRACK_REPORT_COMMANDS_MANY_H

#include "report/model/group.h"
#include "report/history/history.h"
#include "report/history/uses.h"
#include "report/commands/options.h"
#include "report/say/exit.h"
#include "report/spool/choice.h"
#include "report/spool/runs.h"

struct job {
	char *name;         /* owned */
	const char **names; /* of its runs that ended, the newest first; the texts belong to `runs` */
	size_t count;
};

struct jobs {
	struct runs runs;
	const char *status; /* that the runs must have, or NULL for any */
	struct job *items;  /* by their names */
	size_t count;
};

/* The other runs of a job, for the page of a run in a site. */
struct page_given {
	const char *path;
	struct uses earlier;    /* the runs before it that ended, the oldest first */
	struct history history; /* the page takes ownership of this and the next */
	char *over_time;        /* the section on the job's runs */
};

/* Writes the page of a run in a site. Returns the exit status, after a message if it is not EXIT_DONE. */
int html_page_of_site(const struct options *options, struct run *run, struct page_given *given);

/* The choice of runs that the options make. */
struct choice options_choice(const struct options *options);
/* Whether a choice takes a run, whose directory is `name`, also by its status. */
bool many_takes(const struct choice *choice, const struct runs *runs, const char *name, const struct run *run);
/* Lists the jobs of the spools that the options name, or else of `spool`, with their runs that ended. --status is
 * judged when figures are read. Returns 0, or -1 after a message. */
int options_list_jobs(struct jobs *jobs, const struct options *options, const char *spool);
void jobs_free(struct jobs *jobs);

/* Reads the usage of the latest runs of a job, the oldest first: of at most `limit` runs that finished, and as many
 * that did not. */
void jobs_read_uses(struct uses *uses, const struct jobs *jobs, const struct job *job, size_t limit);

#endif
