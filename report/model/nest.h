/* SPDX-License-Identifier: Apache-2.0 */
/* Decides which of several nested runs are included in a sum.
 *
 * If a run was started inside another run, the outer run includes its figures, so a sum uses only the outer run. The
 * outer run also has the figures of its own processes.
 *
 * `parent` in run.json does not prove that the parent includes the run. For example, a Slurm step names the run of
 * the batch script as its parent. However, slurmstepd started the step, so the run of the batch script does not
 * include its processes. */
#ifndef RTRACK_REPORT_MODEL_NEST_H
#define RTRACK_REPORT_MODEL_NEST_H

#include "report/spool/run.h"

#include <stdbool.h>
#include <stddef.h>

/* Returns the id of the run that includes the figures of `run`, or "". This is the parent of `run` if the parent has
 * a record of the root of `run` or of the process that started the root. The string is valid while `run` is open. */
const char *nest_parent(const struct run *run);

#define COUNTED_IN "counted_in" /* column name in SQL */

struct nest {
	const char *id;
	struct run_identity identity;
	const char *parent; /* result of nest_parent */
	double start_time;
	bool asked; /* the run has a request, which includes the requests of the runs inside it */
	void *run;  /* the caller's own data */
	/* Set by nest_find. */
	const struct nest *around; /* run that contains this run, or NULL */
	bool asked_around;         /* an enclosing run has a request */
	bool again; /* duplicate: another entry has the same directory, because a spool was given twice */
};

/* Finds which runs contain others. Sets `around`, `asked_around` and `again`. Sorts `nests` by id. */
void nest_find(struct nest *nests, size_t count);

#endif
