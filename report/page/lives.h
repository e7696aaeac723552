/* The timeline of the processes: when each lived, and how busy. */
#ifndef RTRACK_REPORT_PAGE_LIVES_H
#define RTRACK_REPORT_PAGE_LIVES_H

#include "report/page/page.h"
#include "report/spool/processes.h"

struct life {
	double start;       /* seconds since the start of the run */
	double length;      /* to its end; to that of the run when its end is unknown */
	double cpu_seconds; /* negative: unknown */
	double parent;      /* position in items of its parent; -1: none there */
	size_t program;     /* position in the page's commands */
	const struct process *process;
};

enum { LIVES_LISTED = 20 };

struct lives {
	struct life *items; /* in the order of processes (process_order); owned */
	size_t count;
	size_t total;                     /* of processes in the run */
	struct life listed[LIVES_LISTED]; /* those that used the most CPU time, the most first */
	size_t listed_count;
};

/* Returns 0, or -1 with errno when there is no memory. */
int lives_make(struct lives *lives, const struct page *page);
void lives_free(struct lives *lives);

/* Writes a <figure> with a table for readers who see no picture; nothing when no process is known. */
void lives_write(FILE *out, const struct lives *lives, const struct page *page);

/* Writes `"programs":[…],"lives":{…}` for report/page/assets/timeline.js; times in ms. */
void lives_write_data(FILE *out, const struct lives *lives, const struct page *page);

#endif
