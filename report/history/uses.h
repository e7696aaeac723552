/* SPDX-License-Identifier: Apache-2.0 */
/* What the earlier runs of a run's job say of its next request: those that finished, and those between them that did
 * not. */
#ifndef RTRACK_REPORT_HISTORY_USES_H
#define RTRACK_REPORT_HISTORY_USES_H

#include "report/model/use.h"
#include "report/spool/run.h"

/* Takes the runs that stand in the same spool, have the same job, started before `run` and are over, back to the
 * `limit`th that finished; as many again that did not, at most. Appends `run` itself, which used `own`. A
 * spool that cannot be read has none but the last. */
void uses_read(struct uses *uses, const struct run *run, const struct use *own, size_t limit);
/* Takes earlier runs that are at hand, and appends the run itself, as above. */
void uses_copy_with(struct uses *uses, const struct uses *earlier, const struct use *own);
/* Whether earlier runs are wanted beyond these, `finished` of which did: up to `limit` that did, as many that did not.
 */
bool uses_want_more(const struct uses *uses, size_t finished, size_t limit);
void uses_reverse(struct uses *uses);

#endif
