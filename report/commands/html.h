/* The page of a run as a part of a site, by what is at hand of its job's other runs. */
#ifndef RTRACK_REPORT_COMMANDS_HTML_H
#define RTRACK_REPORT_COMMANDS_HTML_H

#include "report/history/history.h"
#include "report/history/uses.h"
#include "report/options/options.h"

struct page_given {
	const char *path;
	struct uses earlier;    /* the runs before it that are over, the oldest first */
	struct history history; /* taken by the page, as the next */
	char *over_time;        /* the section on the job's runs */
};

/* Returns the exit status, after a message where it is not EXIT_DONE. */
int html_page(const struct options *options, struct run *run, struct page_given *given);

#endif
