/* SPDX-License-Identifier: Apache-2.0 */
/* Describes what the totals of a run may lack, with the same wording in every report. */
#ifndef RTRACK_REPORT_MODEL_EXACTNESS_H
#define RTRACK_REPORT_MODEL_EXACTNESS_H

#include "report/model/totals.h"

/* Whether reports should say more than exactness_describe: the run is complete, but its figures are not exact. */
bool exactness_is_told(const struct totals *totals, const struct run *run);

/* Formats "2 of 1,004 processes left no record: CPU time may be more". If all processes left a record, formats only the
 * part after the colon. */
void exactness_describe_unseen(const struct totals *totals, const struct run *run, char *text, size_t size);

/* Describes records that run.json or a table reports as missing, such as "records that could not be written …", or
 * returns NULL. The process count is then a lower bound. The string is valid until the next call. */
const char *exactness_missing_records(const struct run *run);

/* Describes how the processes were tracked; "" if exactness_describe_unseen covers everything. */
const char *exactness_describe(const struct totals *totals, const struct run *run);

#endif
