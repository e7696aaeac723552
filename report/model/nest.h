/* Which run counts in a sum over runs. A run that ran in another one has figures that the other has as well, so a sum
 * has one of the two: the outer one where all jobs of a spool are added up, the inner ones where they are the runs of a
 * group.
 *
 * nest_find is the one place that decides it. Whether a run ran in another is told by `parent` of its run.json. */
#ifndef RTRACK_REPORT_MODEL_NEST_H
#define RTRACK_REPORT_MODEL_NEST_H

#include <stdbool.h>
#include <stddef.h>

struct nest {
	const char *id;
	const char *parent; /* of run.json; "": none */
	double start_time;
	bool asked; /* it asked for something, of which what those in it asked for is a part */
	void *run;  /* as the caller knows it */
	/* What nest_find fills. */
	const struct nest *around; /* the one that it ran in; NULL: none of these */
	bool asked_around;         /* whether that one asked, or one around it */
	bool again;                /* the same run once more, as of a spool that was named twice: it counts once */
};

/* Sorts them by their ids. A way up ends, whatever the files say. */
void nest_find(struct nest *nests, size_t count);

#endif
