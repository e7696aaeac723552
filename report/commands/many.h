/* Commands for many runs at once. Each returns the program's exit status. */
#ifndef RTRACK_REPORT_COMMANDS_MANY_H
#define RTRACK_REPORT_COMMANDS_MANY_H

#include "report/model/group.h"
#include "report/history/history.h"
#include "report/history/uses.h"
#include "report/commands/jobs.h"
#include "report/commands/options.h"
#include "report/say/exit.h"

/* What the page of a run in a site has of its job's other runs. */
struct page_given {
	const char *path;
	struct uses earlier;    /* the runs before it that are over, the oldest first */
	struct history history; /* taken by the page, as the next */
	char *over_time;        /* the section on the job's runs */
};

/* Writes that page, as html does. Returns the exit status, after a message where it is not EXIT_DONE. */
typedef int many_page(const struct options *options, struct run *run, struct page_given *given);

/* What the options choose of many runs. */
struct choice options_choice(const struct options *options);
/* Whether a choice takes the run `name`, which `run` is, by its status as well. */
bool many_takes(const struct choice *choice, const struct runs *runs, const char *name, const struct run *run);
/* The jobs of the spools that the options name, or else `spool`. Returns 0, or -1 after a message. */
int options_list_jobs(struct jobs *jobs, const struct options *options, const char *spool);

/* html --all, and html --job */
int many_html(const struct options *options, const char *spool, many_page *make_page);
/* list --trend */
int many_trend(const struct options *options, const char *spool);

#endif
