/* What commands on many runs share. */
#ifndef RTRACK_REPORT_COMMANDS_MANY_H
#define RTRACK_REPORT_COMMANDS_MANY_H

#include "report/model/group.h"
#include "report/history/history.h"
#include "report/history/uses.h"
#include "report/commands/jobs.h"
#include "report/commands/options.h"
#include "report/say/exit.h"

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
/* The jobs of the spools that the options name, or else `spool`. Returns 0, or -1 after a message. */
int options_list_jobs(struct jobs *jobs, const struct options *options, const char *spool);

#endif
