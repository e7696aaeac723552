/* The timeline of the processes: who lived when, and how busy. */
#ifndef RTRACK_REPORT_PAGE_LIVES_H
#define RTRACK_REPORT_PAGE_LIVES_H

#include "report/page/model.h"

struct html_life {
	double start;  /* seconds since the start of the run */
	double length; /* to its end, or to that of the run when it left no end */
	double cpu_seconds;
	double pid;
	size_t program; /* position in the model's commands */
};

enum { HTML_LIVES_LISTED = 20 };

struct html_lives {
	struct html_life *items; /* by start; owned */
	size_t count;
	size_t total;                               /* of processes in the run */
	struct html_life listed[HTML_LIVES_LISTED]; /* those that used the most CPU time, the most first */
	size_t listed_count;
};

/* Returns 0, or -1 with errno when there is no memory. */
int html_lives_make(struct html_lives *lives, const struct html_model *model);
void html_lives_free(struct html_lives *lives);

/* A <figure> with a table for who sees no picture, nothing when no process is known. */
void html_lives_write(FILE *out, const struct html_lives *lives, const struct html_model *model);

/* `"programs":[…],"lives":{…}` for report/page/assets/timeline.js: times in ms. */
void html_lives_write_data(FILE *out, const struct html_lives *lives, const struct html_model *model);

#endif
