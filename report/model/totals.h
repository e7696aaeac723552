/* SPDX-License-Identifier: Apache-2.0 */
/* Computes the totals of a run.
 *
 * The totals are sums of the columns of process.csv. If the records of the processes exceed the rows, the sampler was
 * killed or could not read the processes. The totals then come from the records and are not exact. */
#ifndef RTRACK_REPORT_MODEL_TOTALS_H
#define RTRACK_REPORT_MODEL_TOTALS_H

#include "report/model/peaks.h"
#include "report/model/total.h"
#include "report/spool/processes.h"
#include "report/spool/run.h"
#include "report/spool/series.h"

/* Columns that totals_make needs. */
#define TOTALS_PROCESS_COLUMNS                                                                                         \
	(PEAKS_NEEDED_COLUMNS | SERIES_COLUMN(PROCESS_utime) | SERIES_COLUMN(PROCESS_stime) |                          \
		SERIES_COLUMN(PROCESS_disk_read_bytes) | SERIES_COLUMN(PROCESS_disk_write_bytes) |                     \
		SERIES_COLUMN(PROCESS_members) | SERIES_COLUMN(PROCESS_hugetlb_mib) |                                  \
		SERIES_COLUMN(PROCESS_gpu_usage))
#define TOTALS_SYSTEM_COLUMNS (SERIES_COLUMN(SYSTEM_tracker_cpu) | SERIES_COLUMN(SYSTEM_cgroup_memory_limit_mib))

/* Reads member.csv if there are several processes or sampling was incomplete. Sets peak_mib and own_mib of each
 * process. `system` may be empty. */
void totals_make(struct totals *totals, const struct run *run, const struct series *process,
	const struct series *system, struct processes *processes);

/* Sets wall_seconds and mean_cpu_usage from cpu_seconds. If `cpus` CPUs cannot have supplied that CPU time between
 * `start` and `stop`, the clock was set back and the duration is UNKNOWN. */
void totals_set_wall(struct totals *totals, double start, double stop, double cpus);

/* Takes maxima over the ticks of process.csv, of one run or of several runs summed by tick. */
void totals_take_ticks(struct totals *totals, const struct series *process);

/* Whether the upper bound of memory adds information to the peak and the machine's memory. A control group's limit is
 * no bound, because a process also counts pages charged to others. */
bool totals_bound_tells(const struct totals *totals, const struct run *run);

/* Whether lists of totals show it: it is known, it adds information to the others, and it is not a mean that is printed
 * next to its maximum. */
bool totals_is_told(const struct totals *totals, const struct run *run, enum total_id id);

#endif
