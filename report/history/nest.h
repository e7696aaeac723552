/* Runs that ran in other runs. Those have their figures as well: what is added up over runs leaves them out. */
#ifndef RTRACK_REPORT_HISTORY_NEST_H
#define RTRACK_REPORT_HISTORY_NEST_H

#include <stdbool.h>
#include <stddef.h>

struct nest {
	const char *id;
	const char *parent; /* of run.json; "": none */
	double start_time;
	bool asked; /* it asked for something, of which what those in it asked for is a part */
	void *run;  /* whatever the caller knows it by */
	const struct nest *around;
	bool asked_around;
};

/* Sorts them by their ids, and finds of each: around: the one that it ran in (NULL: none of these); asked_around:
 * whether that one asked, or one around it. A walk up ends, whatever the files say. */
void nest_find(struct nest *nests, size_t count);

#endif
