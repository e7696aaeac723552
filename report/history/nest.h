/* Runs that ran in other runs, whose figures those have as well: what is added up over runs leaves them out. */
#ifndef RTRACK_REPORT_HISTORY_NEST_H
#define RTRACK_REPORT_HISTORY_NEST_H

#include <stddef.h>

struct nest {
	const char *id;
	const char *parent; /* of run.json; "": none */
	double start_time;
	void *run; /* whatever the caller knows it by */
	const struct nest
		*around; /* the one that it ran in; NULL: none of these. A walk up ends, whatever the files say */
};

/* Sorts them by their ids, and finds who is around whom. */
void nest_find(struct nest *nests, size_t count);

#endif
