/* The totals of a run.
 *
 * They are the sums of the columns of process.csv. Only when the sampler was killed, so that its last rows are missing,
 * the later exit rows are added as far as they go beyond what member.csv holds of the same process; such totals are not
 * exact. */
#ifndef RTRACK_REPORT_MODEL_TOTALS_H
#define RTRACK_REPORT_MODEL_TOTALS_H

#include "report/model/energy.h"
#include "report/spool/processes.h"
#include "report/spool/run.h"
#include "report/spool/series.h"

struct totals {
	double wall_seconds; /* stop − start; without a stop, to the last timestamp of any table */
	double cpu_seconds;  /* user + system */
	double user_seconds;
	double system_seconds;
	double mean_cpu_usage;  /* cpu_seconds / wall_seconds */
	double mean_memory_mib; /* of all processes together, over time */
	double peak_memory_mib; /* the tree at its largest tick, or the largest process if that is more: a lower bound
				 */
	double largest_process_mib;
	double peak_memory_bound_mib;    /* upper bound of the tree at any time (report/model/at_once.h) */
	double peak_memory_together_mib; /* the same of those peaks that are known, as what others need to plan by */
	double processes;
	double disk_read_bytes;
	double disk_write_bytes;
	double tracker_seconds; /* the tracker's own CPU time, which no other figure includes; UNKNOWN if not read */
	size_t living;          /* processes that go on though the root has ended */
	size_t unseen;          /* processes whose end nobody saw */
	double missing_seconds; /* CPU time that those may have used beyond what is known, at most; UNKNOWN: any */
	struct energy energy;   /* of model_read; totals_make leaves it unknown */
	bool whole;             /* the run ended, and its tables are there */
	/* The run is whole, and no more of its CPU time may be missing than 1 % and 10 ms; each peak is the kernel's
	 * final one, or within one that is; nobody whom nobody saw may have read or written anything. */
	bool exact_cpu;
	bool exact_memory;
	bool exact_bytes;
	bool exact; /* all of it */
};

/* The columns that totals_make needs. */
#define TOTALS_PROCESS_COLUMNS                                                                                         \
	(SERIES_COLUMN(PROCESS_utime) | SERIES_COLUMN(PROCESS_stime) | SERIES_COLUMN(PROCESS_memory_mib) |             \
		SERIES_COLUMN(PROCESS_disk_read_bytes) | SERIES_COLUMN(PROCESS_disk_write_bytes) |                     \
		SERIES_COLUMN(PROCESS_members) | SERIES_COLUMN(PROCESS_rss_mib))
#define TOTALS_SYSTEM_COLUMNS SERIES_COLUMN(SYSTEM_tracker_cpu)

/* Reads member.csv when the run was not followed to its end, or goes on. `system` may be without rows.
 * Returns 0, or -1 with errno when there is no memory. */
int totals_make(struct totals *totals, const struct run *run, const struct series *process, const struct series *system,
	struct processes *processes);

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

/* Adds the keys of "totals" to an object. */
void totals_write_json(const struct totals *totals, cJSON *object);

#endif
