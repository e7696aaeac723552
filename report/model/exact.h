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

/* Returns whether the run has ended and its tables appear to have all rows. */
bool exact_is_whole(const struct run *run, const struct series *process, const struct processes *processes);

/* exact_difference compares `seconds`, the CPU time of the run and the tracker, with the CPU time of the run's own
 * control group. Returns the difference, or 0 if the run has no group of its own. exact_is_little returns whether
 * such a difference is negligible. */
double exact_difference(const struct run *run, double seconds);
bool exact_is_little(double difference, double seconds);

/* Returns whether the CPU time is complete. `seconds` is the CPU time of the run and the tracker. Sets *only_end to
 * true if only the CPU time may be missing that the kernel used to free the memory of the root. */
bool exact_cpu(const struct run *run, const struct processes *processes, double seconds, bool *only_end);

/* exact_memory returns whether the peak of each process is known and the bounds of the run's peak agree.
 * exact_is_bounded returns whether two bounds agree. */
bool exact_memory(const struct processes *processes, const struct peaks *peaks);
bool exact_is_bounded(double least_mib, double most_mib);

/* -- in words ---------------------------------------------------------------------------------------- */

/* Returns true if the run is complete, but its figures may be clearly too low. Reports then print
 * exactness_describe_unseen. */
bool exactness_is_told(const struct totals *totals, const struct run *run);

/* Formats "2 of 1,004 processes left no record: CPU time may be more". If all processes left a record, formats only the
 * part after the colon. */
void exactness_describe_unseen(const struct totals *totals, const struct run *run, char *text, size_t size);

/* Returns a description of records that are missing according to run.json or a table, such as "records that could
 * not be written …", or NULL if none are missing. If records are missing, the number of processes is a lower bound.
 * The string is valid until the next call. */
const char *exactness_missing_records(const struct run *run);

/* Returns how completely the processes were tracked, such as "all followed to their ends", or "" if
 * exactness_describe_unseen says enough. */
const char *exactness_describe(const struct totals *totals, const struct run *run);

#endif
