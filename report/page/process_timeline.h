/* SPDX-License-Identifier: Apache-2.0 */
/* The timeline of the processes: when each lived, and how busy it was. */
#ifndef RTRACK_REPORT_PAGE_PROCESS_TIMELINE_H
#define RTRACK_REPORT_PAGE_PROCESS_TIMELINE_H

#include "report/page/page.h"
#include "report/spool/processes.h"

struct life {
	double start;       /* seconds since the start of the run */
	double length;      /* until its end, or the run's end if unknown */
	double cpu_seconds; /* or -1 if unknown */
	double parent;      /* position of its parent in `items`, or -1 */
	size_t program;     /* position in the page's commands */
	const struct process *process;
};

enum { LIVES_LISTED = 20 };

struct lives {
	struct life *items; /* in the order of processes (process_order); owned */
	size_t count;
	size_t total;                     /* processes in the run */
	struct life listed[LIVES_LISTED]; /* with the most CPU time, in descending order */
	size_t listed_count;
};

void lives_make(struct lives *lives, const struct page *page);
void lives_free(struct lives *lives);

/* Writes a <figure>, with a table for readers who see no picture; nothing if no process is known. */
void lives_write(FILE *out, const struct lives *lives, const struct page *page);

/* Writes `"programs":[…],"lives":{…}` for report/page/assets/timeline.js; times in ms. */
void lives_write_data(FILE *out, const struct lives *lives, const struct page *page);

#endif
