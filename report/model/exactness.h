/* SPDX-License-Identifier: Apache-2.0 */
/* What the totals of a run may lack, in the words of every report. */
#ifndef RTRACK_REPORT_MODEL_EXACTNESS_H
#define RTRACK_REPORT_MODEL_EXACTNESS_H

#include "report/model/totals.h"

/* Whether there is more to say than exactness_describe does: figures of a whole run are not exact. */
bool exactness_is_told(const struct totals *totals, const struct run *run);

/* "2 of 1,004 processes left no record: CPU time may be more"; where none did, what comes behind the
 * colon. */
void exactness_describe_unseen(const struct totals *totals, const struct run *run, char *text, size_t size);

/* "records that could not be written …": what run.json or a table says to be missing, until the next call; NULL:
 * neither says anything of the kind. Where rows are missing, there were more processes than are counted, or as many. */
const char *exactness_missing_records(const struct run *run);

/* How the processes were followed; "" where exactness_describe_unseen tells it all. */
const char *exactness_describe(const struct totals *totals, const struct run *run);

#endif
