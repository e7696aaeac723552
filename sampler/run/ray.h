/* SPDX-License-Identifier: Apache-2.0 */
/* Finds the job of a Ray worker that Ray started before the job.
 *
 * In the environment of such a worker, RAY_JOB_ID is RAY_NO_JOB. With its first task, the worker gets a job, to which
 * it then belongs until it ends. It writes the job in a line such as ":job_id:01000000" to its log, the file to which
 * its stdout refers. */
#ifndef RTRACK_SAMPLER_RUN_RAY_H
#define RTRACK_SAMPLER_RUN_RAY_H

#include "sampler/run/file.h"

/* Replaces RAY_NO_JOB in the label "job" and in the group of run.json by the job that the worker `pid` has written to
 * its log. Returns false if its log has no job yet. */
bool run_find_ray_job(const char *directory, int pid);

#endif
