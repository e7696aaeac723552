/* SPDX-License-Identifier: Apache-2.0 */
/* Adds the records of runs inside a run to the records of that run.
 *
 * Each process writes its records into one run only, the innermost one. For example, if a rule of a tracked Makefile
 * calls rtrack-run, the rule's processes record their peaks and ends in the run of the rule. The sampler of the outer
 * run sees these processes only at its ticks. The outer run is therefore read together with its inner runs. */
#ifndef RTRACK_REPORT_SPOOL_INNER_H
#define RTRACK_REPORT_SPOOL_INNER_H

#include "report/spool/processes.h"
#include "report/spool/run.h"

/* The root of a run, and the process that started the root. An outer run includes the figures of the run if it has a
 * record of one of these two processes. `parent` in run.json does not prove this: a Slurm step names the run of the
 * batch script as its parent, but slurmstepd started the step. If the run begins and ends between two ticks of the
 * outer run, the outer run has a record only of the starter. */
struct run_origin {
	struct process_id root, starter;
};

struct run_origin run_origin_of(const struct run *run);

/* The runs directly inside a run, such as the tasks of a pipeline. Runs inside these are part of them. */
struct inner_runs {
	char **names; /* names of the runs in the spool of the outer run, oldest first; owned */
	size_t count;
};

/* Adds the processes of all runs inside `run` that are in the same spool, and finds the runs directly inside.
 * rtrack-run and its helpers write no records. If rtrack-run started an inner run, these processes are nevertheless not
 * counted as processes without records. Call this function once, after processes_load. */
void inner_add(struct processes *processes, const struct run *run, struct inner_runs *direct);
void inner_runs_free(struct inner_runs *runs);

#endif
