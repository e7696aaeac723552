/* SPDX-License-Identifier: Apache-2.0 */
/* Which runs are runs of one job.
 *
 * A name that the user or an orchestrator chose identifies the job, and so does the name of a group's runs. A name that
 * rtrack took from the command line does not: two projects may each have a train.py, and every `bash -c` is called
 * "bash". Such a job is identified by its name, its directory, and the command line if an interpreter runs program text
 * from it. */
#ifndef RTRACK_REPORT_SPOOL_JOB_KEY_H
#define RTRACK_REPORT_SPOOL_JOB_KEY_H

#include "report/spool/run.h"

/* Returns the key of the run's job: one to three lines (name, directory, command line). Runs of one job have equal
 * keys. The directory contains the script. For a command without a script, it is the working directory. The caller
 * frees the key. */
char *job_key(const struct run *run);

/* Returns the name of a job for a list in which another job has the same name: "train.py (/home/u/a)", or the beginning
 * of the command line in parentheses. The caller frees it. */
char *job_key_title(const char *key);

/* Returns whether a job was started in this directory, or its script is there. */
bool job_key_is_in(const char *key, const char *directory);

#endif
