/* SPDX-License-Identifier: Apache-2.0 */
/* Reads the runs inside a pipeline, and sums them by job. */
#ifndef RTRACK_REPORT_HISTORY_INNER_JOBS_READ_H
#define RTRACK_REPORT_HISTORY_INNER_JOBS_READ_H

#include "report/model/inner_jobs.h"
#include "report/model/model.h"

/* Sums the runs directly inside the run of `model`. If the model presents a group of several jobs, sums the runs of the
 * group. Otherwise, and for the runs of a script, which reports list one by one, the result has no jobs. The figures
 * come from the digests of the runs, so that a pipeline of many tasks is read quickly. The caller must free `jobs`. */
void inner_jobs_read(struct inner_jobs *jobs, const struct model *model);

#endif
