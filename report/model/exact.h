/* SPDX-License-Identifier: Apache-2.0 */
/* What of the totals of a run, or of several, may be called exact. docs/spool.md states the rules, and what they cannot
 * see. */
#ifndef RTRACK_REPORT_MODEL_EXACT_H
#define RTRACK_REPORT_MODEL_EXACT_H

#include "report/model/peaks.h"
#include "report/spool/processes.h"
#include "report/spool/run.h"
#include "report/spool/series.h"

/* Whether the run has ended, and no table lacks rows, as far as the tables themselves tell. */
bool exact_is_whole(const struct run *run, const struct series *process, const struct processes *processes);

/* By how much the CPU time of the run and of the tracker, `seconds`, differs from that of the run's own control group;
 * 0 where it has none. And whether that is little, for a run or for the sum of several. */
double exact_difference(const struct run *run, double seconds);
bool exact_is_little(double difference, double seconds);

/* Whether no CPU time is missing. `seconds`: as above. */
bool exact_cpu(const struct run *run, const struct processes *processes, double seconds);

/* Whether no peak is missing; and whether the upper bound says no more than the lower one, of a run or of several. The
 * peak itself is an estimate between the two, so it proves nothing. */
bool exact_memory(const struct processes *processes, const struct peaks *peaks);
bool exact_is_bounded(double least_mib, double most_mib);

#endif
