/* SPDX-License-Identifier: Apache-2.0 */
/* Computes the totals of a run.
 *
 * The totals are sums over the rows of process.csv. If the records of the processes exceed the rows, the sampler was
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
		SERIES_COLUMN(PROCESS_gpu_usage) | SERIES_COLUMN(PROCESS_cpu_wait))
#define TOTALS_SYSTEM_COLUMNS (SERIES_COLUMN(SYSTEM_tracker_cpu) | SERIES_COLUMN(SYSTEM_cgroup_memory_limit_mib))

/* Computes the totals, and sets peak_mib and own_mib of each process. Reads member.csv if there are several
 * processes or if sampling was incomplete. `system` may be empty. */
void totals_make(struct totals *totals, const struct run *run, const struct series *process,
	const struct series *system, struct processes *processes);

/* Sets wall_seconds, mean_cpu_usage and cpus_wanted. cpu_seconds and cpu_wait_seconds must be set. If `cpus` CPUs
 * cannot supply this CPU time between `start` and `stop`, the clock was set back, and wall_seconds becomes UNKNOWN. */
void totals_set_wall(struct totals *totals, double start, double stop, double cpus);

/* Raises totals such as peak_swap_mib to the maximum over all ticks of `process`, which has the rows of one run or
 * the sums over several runs. */
void totals_take_ticks(struct totals *totals, const struct series *process);

/* Returns whether reports should show the upper bound of the peak, because it is below the machine's memory and
 * clearly above the peak. The limit of a control group is no such bound, because a process may use pages that are
 * charged to other groups. */
bool totals_bound_tells(const struct totals *totals, const struct run *run);

/* Formats the peak memory as "433 MiB". If the upper bound of the peak is more than 10 % above the peak and more than
 * half of the request, formats a range such as "104–125 MiB". The request may be UNKNOWN. */
struct figure totals_peak_range(const struct totals *totals, const struct run *run, double request_mib);

/* Returns whether lists of totals show a total. They show no unknown totals, no totals that repeat others, and no
 * means, which are printed beside their maximum. */
bool totals_is_told(const struct totals *totals, const struct run *run, enum total_id id);

#endif
