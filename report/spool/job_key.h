/* SPDX-License-Identifier: Apache-2.0 */
/* Determines which runs belong to the same job.
 *
 * The name of a run identifies its job if the user or an orchestrator chose the name, or if the run belongs to a group.
 * A name that rtrack took from the command line is not enough, because two projects may each have a train.py, and every
 * `bash -c` is called "bash". Such a job is identified by its name and directory. If an interpreter runs program text
 * from the command line, the command line also identifies the job. */
#ifndef RTRACK_REPORT_SPOOL_JOB_KEY_H
#define RTRACK_REPORT_SPOOL_JOB_KEY_H

#include "report/spool/run.h"

/* Returns the key of the run's job: one to three lines (name, directory, command line). All runs of a job have the same
 * key. The directory is the script's, or the working directory if the command has no script. The caller must free the
 * key. */
char *job_key(const struct run *run);

/* Returns a title for a job whose name is not unique in a list. The title is the name with the directory in
 * parentheses, such as "train.py (/home/u/a)", or with the beginning of the command line. The caller must free the
 * title. */
char *job_key_title(const char *key);

/* Returns whether a job was started in this directory, or has its script there. */
bool job_key_is_in(const char *key, const char *directory);

/* A job of a list: its key, and where its name is. */
struct job_named {
	const char *key;
	char **name; /* owned by the list */
};

/* Replaces each name that several of the jobs have by job_key_title. Sorts `jobs` by name. */
void job_key_set_titles(struct job_named *jobs, size_t count);

#endif
