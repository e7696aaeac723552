/* SPDX-License-Identifier: Apache-2.0 */
/* The usage of earlier runs of a job, on which its next request is based: finished runs, and unfinished ones in
 * between. */
#ifndef RTRACK_REPORT_HISTORY_USES_H
#define RTRACK_REPORT_HISTORY_USES_H

#include "report/model/use.h"
#include "report/spool/run.h"

/* Reads ended runs of the same job in the same spool that started before `run`: up to `limit` finished ones, and at
 * most as many unfinished ones. Appends `run` itself with its usage `own`. An unreadable spool yields only `own`. */
void uses_read(struct uses *uses, const struct run *run, const struct use *own, size_t limit);
/* Copies the usage of earlier runs, and appends `own`. */
void uses_copy_with(struct uses *uses, const struct uses *earlier, const struct use *own);
/* Whether more runs should be read. `finished` of the runs so far finished; up to `limit` finished and `limit`
 * unfinished runs are wanted. */
bool uses_want_more(const struct uses *uses, size_t finished, size_t limit);
void uses_reverse(struct uses *uses);

#endif
