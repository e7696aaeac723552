/* SPDX-License-Identifier: Apache-2.0 */
/* Decides which of several nested runs counts in a sum.
 *
 * The figures of a run may include those of another run, so a sum must use only one of the two: the outer run when all
 * jobs of a spool are summed, the inner runs when they form a group. `parent` in run.json only names the run in which a
 * process was started. For example, a Slurm step names the run of the batch script, but slurmstepd started it, so that
 * run does not include its processes. */
#ifndef RTRACK_REPORT_MODEL_NEST_H
#define RTRACK_REPORT_MODEL_NEST_H

#include "report/spool/run.h"

#include <stdbool.h>
#include <stddef.h>

/* Id of the run that includes the figures of `run`: its parent, if the parent has a record of the root of `run` or of
 * the process that started it; else "". Valid as long as the run is open. */
const char *nest_parent(const struct run *run);

#define COUNTED_IN "counted_in" /* column name in SQL */

struct nest {
	const char *id;
	struct run_identity identity;
	const char *parent; /* result of nest_parent */
	double start_time;
	bool asked;     /* the run has a request, which covers the requests of the runs inside it */
	void *run;      /* the caller's own data */
	bool *left_out; /* set by nest_find if the run contains another or is a duplicate; may be NULL */
	/* Set by nest_find. */
	const struct nest *around; /* the run that contains it, or NULL */
	bool asked_around;         /* an enclosing run has a request */
	bool again; /* the same directory as another entry, because a spool was given twice: counts once */
};

/* Sorts `nests` by id. Damaged files with circular parents do not cause an endless loop. */
void nest_find(struct nest *nests, size_t count);

#endif
