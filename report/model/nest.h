/* SPDX-License-Identifier: Apache-2.0 */
/* Which run counts in a sum over runs. A run may have the figures of another one as well, so a sum has one of the two:
 * the outer one where all jobs of a spool are added up, the inner ones where they are the runs of a group.
 *
 * nest_parent and nest_find are the one place that decides it. `parent` of run.json only names the run that a process
 * was started in. A step of Slurm names the run of the batch script, but slurmstepd starts it: that run has no process
 * of it. */
#ifndef RTRACK_REPORT_MODEL_NEST_H
#define RTRACK_REPORT_MODEL_NEST_H

#include "report/spool/run.h"

#include <stdbool.h>
#include <stddef.h>

/* The id of the run that has the figures of `run` as well: its parent, if that knows the root of `run` or the process
 * that started it. "": none does. It lasts as long as the run is open. */
const char *nest_parent(const struct run *run);

#define COUNTED_IN "counted_in" /* its name in SQL */

struct nest {
	const char *id;
	const char *parent; /* nest_parent */
	double start_time;
	bool asked;     /* it asked for something, of which what those in it asked for is a part */
	void *run;      /* as the caller knows it */
	bool *left_out; /* set by nest_find where another one is in it, and of the second of two that are the same; NULL
			 */
	/* What nest_find fills. */
	const struct nest *around; /* the one that it ran in; NULL: none of these */
	bool asked_around;         /* whether that one asked, or one around it */
	bool again;                /* the same run once more, as of a spool that was named twice: it counts once */
};

/* Sorts them by their ids. A way up ends, whatever the files say. */
void nest_find(struct nest *nests, size_t count);

#endif
