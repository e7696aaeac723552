/* SPDX-License-Identifier: Apache-2.0 */
/* The timeline of the processes: the lifetime of each process, and how busy the process was. */
#ifndef RTRACK_REPORT_PAGE_PROCESS_TIMELINE_H
#define RTRACK_REPORT_PAGE_PROCESS_TIMELINE_H

#include "report/page/page.h"
#include "report/spool/processes.h"

struct life {
	double start;  /* seconds since the start of the run */
	double length; /* seconds until the end of the process, or of the run if the end of the process is unknown */
	double cpu_seconds; /* CPU seconds, or -1 if unknown */
	double parent;      /* index of the parent process in `items`, or -1 */
	size_t program;     /* index of the process's program in the page's programs */
	const struct process *process;
};

enum { LIVES_LISTED = 20 };

struct lives {
	struct life *items; /* all lives, in the order of process_order; owned */
	size_t count;
	size_t total;                     /* number of processes in the run, of which `items` may have only some */
	struct life listed[LIVES_LISTED]; /* the lives with the most CPU time, in descending order */
	size_t listed_count;
};

void lives_make(struct lives *lives, const struct page *page);
void lives_free(struct lives *lives);

/* Writes a <figure> and a table for screen readers. Writes nothing if no process is known. */
void lives_write(FILE *out, const struct lives *lives, const struct page *page);

/* Writes `"programs":[…],"lives":{…}` for report/page/assets/timeline.js. Times are in milliseconds. */
void lives_write_data(FILE *out, const struct lives *lives, const struct page *page);

#endif
