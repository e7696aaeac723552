/* SPDX-License-Identifier: Apache-2.0 */
/* The units of orchestrators: "slurm:7" covers all runs of job 7, "metaflow:Flow/12" all runs of that flow run.
 *
 * UNIT rows in core/orchestrators.def define the labels of run.json from which a unit's name is built. */
#ifndef RTRACK_REPORT_SPOOL_UNIT_H
#define RTRACK_REPORT_SPOOL_UNIT_H

#include "report/spool/run.h"

enum { UNIT_NAME_SIZE = 256 };

/* Returns whether a string looks like a unit's name: the name of an orchestrator, a ':', and at least one more
 * character. */
bool unit_is_name(const char *text);

/* Returns whether the run belongs to the unit with that name. */
bool unit_has(const char *name, const struct run *run);

/* Stores the job name of the unit `name`, such as "train" for "airflow:train/2026-11-21", or "" if the unit has no job
 * name of its own. `run` is one of its runs. */
void unit_title(const char *name, const struct run *run, char title[UNIT_NAME_SIZE]);

/* Stores the name of the largest unit that contains the run, or "". The outermost orchestrator takes precedence: a
 * Nextflow task in a Slurm job belongs to the job. */
void unit_of(const struct run *run, char name[UNIT_NAME_SIZE]);

/* Returns the cluster that numbered the run's job, or "" if it is unknown. Two clusters may give jobs the same number,
 * and a cluster may use a number again. Runs are therefore of one job only if they have the same unit, cluster and
 * owner, and if no pause between them is longer than UNIT_PAUSE. */
const char *unit_cluster(const struct run *run);
#define UNIT_PAUSE 2592000.0 /* 30 days in seconds */

/* Returns whether the run is part of a Slurm job. */
bool unit_is_slurm(const struct run *run);

/* Stores the name of the set of runs that share one request on their machine, or "" if there is none. The set is the
 * script, steps and ranks of one attempt of a Slurm job on its cluster, or the ranks of the run's group. */
void unit_allocation(const struct run *run, char name[UNIT_NAME_SIZE]);

/* Stores the name of what started the run together with its siblings, or "" if that is unknown: the array or the
 * execution of a pipeline (FAN_OUT rows in core/orchestrators.def), or else the run inside which the run was started.
 * Runs of one job with the same name are tasks of one fan-out. */
void unit_fan_out(const struct run *run, char name[UNIT_NAME_SIZE]);

#endif
