/* SPDX-License-Identifier: Apache-2.0 */
/* The totals of a run.
 *
 * They are the sums of the columns of process.csv. Where the records of the processes tell of more, the sampler was
 * killed or could not read them. The totals are those of the records then, and are not exact. */
#ifndef RTRACK_REPORT_MODEL_TOTALS_H
#define RTRACK_REPORT_MODEL_TOTALS_H

#include "report/model/peaks.h"
#include "report/model/total.h"
#include "report/spool/processes.h"
#include "report/spool/run.h"
#include "report/spool/series.h"

/* The columns that totals_make needs. */
#define TOTALS_PROCESS_COLUMNS                                                                                         \
	(PEAKS_NEEDED_COLUMNS | SERIES_COLUMN(PROCESS_utime) | SERIES_COLUMN(PROCESS_stime) |                          \
		SERIES_COLUMN(PROCESS_disk_read_bytes) | SERIES_COLUMN(PROCESS_disk_write_bytes) |                     \
		SERIES_COLUMN(PROCESS_members) | SERIES_COLUMN(PROCESS_hugetlb_mib) |                                  \
		SERIES_COLUMN(PROCESS_gpu_usage))
#define TOTALS_SYSTEM_COLUMNS (SERIES_COLUMN(SYSTEM_tracker_cpu) | SERIES_COLUMN(SYSTEM_cgroup_memory_limit_mib))

/* Reads member.csv where there are several processes, or the run was not followed to its end. Fills peak_mib and
 * own_mib of each process. `system` may be without rows. */
void totals_make(struct totals *totals, const struct run *run, const struct series *process,
	const struct series *system, struct processes *processes);

/* Sets wall_seconds and mean_cpu_usage, by cpu_seconds. A time in which `cpus` CPUs cannot have given that CPU time
 * does not count: the clock was set back meanwhile, so nothing tells how long it was. */
void totals_set_wall(struct totals *totals, double start, double stop, double cpus);

/* Takes what the ticks of process.csv have at most, of one run or of several added up by tick. */
void totals_take_ticks(struct totals *totals, const struct series *process);

/* MiB of file pages in the peak that the kernel can drop; UNKNOWN where they are less than a tenth of the rest. */
double totals_file_pages(const struct totals *totals);

/* Whether the upper bound of the memory says more than the peak and the machine do. A limit of a control group is no
 * bound: pages that others are charged for count in a process as well. */
bool totals_bound_tells(const struct totals *totals, const struct run *run);

/* Whether lists of totals show it: it is known, says more than the others do, and is no mean, which stands beside its
 * maximum. */
bool totals_is_told(const struct totals *totals, const struct run *run, enum total_id id);

#endif
