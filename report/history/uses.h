/* SPDX-License-Identifier: Apache-2.0 */
/* Reads the usage of earlier runs of a job, from which the next request is computed. These runs are finished runs and
 * the unfinished ones between them. */
#ifndef RTRACK_REPORT_HISTORY_USES_H
#define RTRACK_REPORT_HISTORY_USES_H

#include "report/model/use.h"
#include "report/spool/run.h"

/* Reads ended runs of the same job and spool that started before `run`, until uses_want_more returns false. Appends
 * `own`, the usage of `run` itself. If the spool cannot be read, the result is only `own`. */
void uses_read(struct uses *uses, const struct run *run, const struct use *own, size_t limit);
/* Copies `earlier` to `uses`, and appends `own`. */
void uses_copy_with(struct uses *uses, const struct uses *earlier, const struct use *own);
/* Appends the usage of a run. `uses` must be initialized with zeros, and only uses_add may add to it. */
void uses_add(struct uses *uses, const struct use *use);
/* Returns whether more runs should be read, until `uses` has `limit` finished or `limit` unfinished runs. The finished
 * tasks of one fan-out count once. At most ten times `limit` runs are read. */
bool uses_want_more(const struct uses *uses, size_t limit);
void uses_reverse(struct uses *uses);

/* Stores the runs on which a request is based in `folded`. The finished tasks of one fan-out become one run, in the
 * place of the last of them, with the largest of their figures. Tasks that did not finish stay. */
void uses_fold(struct uses *folded, const struct uses *uses);

#endif
