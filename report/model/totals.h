/* The totals of a run.
 *
 * They are the sums of the columns of process.csv. Only when the sampler was killed, so that its last rows are missing,
 * the later exit rows are added as far as they go beyond what member.csv holds of the same process; such totals are not
 * exact. */
#ifndef RTRACK_REPORT_MODEL_TOTALS_H
#define RTRACK_REPORT_MODEL_TOTALS_H

#include "report/model/total.h"
#include "report/spool/processes.h"
#include "report/spool/run.h"
#include "report/spool/series.h"

/* The columns that totals_make needs. */
#define TOTALS_PROCESS_COLUMNS                                                                                         \
	(SERIES_COLUMN(PROCESS_utime) | SERIES_COLUMN(PROCESS_stime) | SERIES_COLUMN(PROCESS_memory_mib) |             \
		SERIES_COLUMN(PROCESS_disk_read_bytes) | SERIES_COLUMN(PROCESS_disk_write_bytes) |                     \
		SERIES_COLUMN(PROCESS_members) | SERIES_COLUMN(PROCESS_rss_mib) | SERIES_COLUMN(PROCESS_swap_mib))
#define TOTALS_SYSTEM_COLUMNS SERIES_COLUMN(SYSTEM_tracker_cpu)

/* Reads member.csv when the run was not followed to its end, or goes on. `system` may be without rows.
 * Returns 0, or -1 with errno when there is no memory. */
int totals_make(struct totals *totals, const struct run *run, const struct series *process, const struct series *system,
	struct processes *processes);

/* Takes what the ticks of process.csv have at most, of one run or of several added up by tick. */
void totals_take_ticks(struct totals *totals, const struct series *process);

/* Whether the bound of the memory says more than the peak and the machine do. A control group's limit is no bound:
 * pages that others are charged for count in a process as well. */
bool totals_bound_tells(const struct totals *totals, const struct run *run);

/* Whether what all processes had together is a lower bound: they may have had clearly more between two ticks. */
bool totals_peak_is_least(const struct totals *totals);

/* The two peaks of the memory: what all processes had at one time that somebody looked, and what they would have had if
 * each had had its own peak then. */
enum totals_peak { PEAK_SEEN, PEAK_TOGETHER };
/* What each is called, behind "Peak memory", wherever both are told: "seen at once", "if all peaked at once". */
const char *totals_peak_name(enum totals_peak peak);
/* Whether the latter is clearly more, and known. */
bool totals_together_tells(const struct totals *totals, const struct run *run);

#endif
