/* SPDX-License-Identifier: Apache-2.0 */
/* The peak of a run's memory: the largest memory that all its processes held together.
 *
 * Each tick measures the memory of all processes. Between ticks, only the lifetime and the peak of each process are
 * known, from its record. These figures give a lower bound, an upper bound, and an estimate between the two, which
 * reports show as the peak. Processes without a record are ignored. docs/report.md states the rules. */
#ifndef RTRACK_REPORT_MODEL_PEAKS_H
#define RTRACK_REPORT_MODEL_PEAKS_H

#include "report/spool/processes.h"
#include "report/spool/run.h"
#include "report/spool/series.h"

struct peaks {
	double least_mib;   /* lower bound: the larger one of the largest tick and the largest process */
	double peak_mib;    /* the peak that reports show; all fields are UNKNOWN if nothing was measured */
	double needed_mib;  /* peak of memory that the kernel cannot drop, by the rules of core/needed.h */
	double most_mib;    /* upper bound: largest sum of own bytes of concurrent processes */
	double process_mib; /* peak of the largest process */
	/* Largest own bytes of a process that lived too briefly for its start to be known: it may have run at the same
	 * time as any process before it. 0 if there is none. */
	double brief_mib;
};

/* Columns of process.csv from which needed memory is computed. */
#define PEAKS_NEEDED_COLUMNS                                                                                           \
	(SERIES_COLUMN(PROCESS_memory_mib) | SERIES_COLUMN(PROCESS_memory_file_mib) |                                  \
		SERIES_COLUMN(PROCESS_locked_mib) | SERIES_COLUMN(PROCESS_lazy_free_mib) |                             \
		SERIES_COLUMN(PROCESS_swap_mib) | SERIES_COLUMN(PROCESS_page_tables_mib) |                             \
		SERIES_COLUMN(PROCESS_rss_mib) | SERIES_COLUMN(PROCESS_tmpfs_mib))

/* Returns the largest memory in one tick, without file pages that the kernel can drop. `process` must have
 * PEAKS_NEEDED_COLUMNS. */
double peaks_needed_of_ticks(const struct series *process);

/* Computes the peak and its bounds. Call own_bytes_find first. `process` must have PEAKS_NEEDED_COLUMNS. Reads
 * member.csv if there are several processes. `stop` is the end of the run, and `held_to_mib` an upper bound of the
 * peak. */
void peaks_find(struct peaks *peaks, const struct run *run, const struct series *process,
	const struct processes *processes, double stop, double held_to_mib);

#endif
