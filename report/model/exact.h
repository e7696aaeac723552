/* SPDX-License-Identifier: Apache-2.0 */
/* Decides which totals of a run, or of several runs, may be called exact. docs/spool.md states the rules and their
 * limits. */
#ifndef RTRACK_REPORT_MODEL_EXACT_H
#define RTRACK_REPORT_MODEL_EXACT_H

#include "report/model/peaks.h"
#include "report/spool/processes.h"
#include "report/spool/run.h"
#include "report/spool/series.h"
#include "report/model/total.h"

/* Whether the run has ended and, as far as its tables show, no table lacks rows. */
bool exact_is_whole(const struct run *run, const struct series *process, const struct processes *processes);

/* `seconds` is the CPU time of the run and the tracker. exact_difference compares it with the CPU time of the run's own
 * control group, and returns 0 if there is none. exact_is_little returns whether such a difference, of one run or
 * summed over several, is negligible. */
double exact_difference(const struct run *run, double seconds);
bool exact_is_little(double difference, double seconds);

/* Whether the CPU time is complete. `seconds` is the CPU time of the run and the tracker. *only_end: at most the time
 * is missing in which the kernel frees the memory of a bare root. */
bool exact_cpu(const struct run *run, const struct processes *processes, double seconds, bool *only_end);

/* exact_memory returns whether each peak is known and the bounds agree. exact_is_bounded returns whether the upper and
 * lower bounds of the peak agree, for one run or several. The peak itself is an estimate between the bounds and proves
 * nothing. */
bool exact_memory(const struct processes *processes, const struct peaks *peaks);
bool exact_is_bounded(double least_mib, double most_mib);

/* -- in words ---------------------------------------------------------------------------------------- */

/* Whether reports should say more than exactness_describe: the run is complete, but its figures may be clearly more. */
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
