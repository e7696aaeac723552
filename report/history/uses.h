/* SPDX-License-Identifier: Apache-2.0 */
/* Reads the usage of earlier runs of a job, from which the next request is computed. These runs are finished runs and
 * the unfinished ones between them. */
#ifndef RTRACK_REPORT_HISTORY_USES_H
#define RTRACK_REPORT_HISTORY_USES_H

#include "report/model/use.h"
#include "report/spool/run.h"

/* Reads ended runs of the same job and spool that started before `run`: up to `limit` finished and up to `limit`
 * unfinished ones. Appends `own`, the usage of `run` itself. If the spool cannot be read, the result is only `own`. */
void uses_read(struct uses *uses, const struct run *run, const struct use *own, size_t limit);
/* Copies `earlier` to `uses`, and appends `own`. */
void uses_copy_with(struct uses *uses, const struct uses *earlier, const struct use *own);
/* Whether more runs should be read, until `uses` has `limit` finished or `limit` unfinished runs. `finished` is the
 * number of finished runs in `uses`. */
bool uses_want_more(const struct uses *uses, size_t finished, size_t limit);
void uses_reverse(struct uses *uses);

#endif
