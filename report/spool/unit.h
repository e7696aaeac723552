/* SPDX-License-Identifier: Apache-2.0 */
/* The units of orchestrators: "slurm:7" is every run of job 7, "metaflow:Flow/12" every run of that run of a flow.
 *
 * UNIT rows of core/orchestrators.def say of which labels of run.json a unit's name is made. */
#ifndef RTRACK_REPORT_SPOOL_UNIT_H
#define RTRACK_REPORT_SPOOL_UNIT_H

#include "report/spool/run.h"

enum { UNIT_NAME_SIZE = 256 };

/* Whether a text has the form of a unit's name: an orchestrator, a ':' and more. */
bool unit_is_name(const char *text);

/* Whether the run is of the unit with that name. */
bool unit_has(const char *name, const struct run *run);

/* The name of the largest unit that the run is of; "" where it is of none. The outermost orchestrator goes first: a
 * task of Nextflow in a job of Slurm is of the job. */
void unit_of(const struct run *run, char name[UNIT_NAME_SIZE]);

/* What the run shares one request of its machine with: the script, the steps and the ranks of one attempt of a Slurm
 * job, else the ranks of its group; "" where it shares none. */
void unit_allocation(const struct run *run, char name[UNIT_NAME_SIZE]);

#endif
