/* SPDX-License-Identifier: Apache-2.0 */
/* The peak of a run's memory: the most that all its processes held together at any moment.
 *
 * Ticks sum the memory of living processes; between ticks nothing is measured. Each process's record has its own peak
 * and its lifetime. From these follow a lower bound, an upper bound, and between them the peak that all reports show.
 * Only known processes count. docs/report.md states the rules. */
#ifndef RTRACK_REPORT_MODEL_PEAKS_H
#define RTRACK_REPORT_MODEL_PEAKS_H

#include "report/spool/processes.h"
#include "report/spool/run.h"
#include "report/spool/series.h"

struct peaks {
	double least_mib;   /* lower bound: the largest tick, or the largest process */
	double peak_mib;    /* UNKNOWN, as are the other fields, if nothing is known */
	double needed_mib;  /* peak of memory that the kernel cannot drop, by the rules of core/needed.h */
	double most_mib;    /* upper bound: largest sum of own bytes of concurrent processes */
	double process_mib; /* peak of the largest process */
};

/* Columns of process.csv from which needed memory is computed. */
#define PEAKS_NEEDED_COLUMNS                                                                                           \
	(SERIES_COLUMN(PROCESS_memory_mib) | SERIES_COLUMN(PROCESS_memory_file_mib) |                                  \
		SERIES_COLUMN(PROCESS_locked_mib) | SERIES_COLUMN(PROCESS_lazy_free_mib) |                             \
		SERIES_COLUMN(PROCESS_swap_mib) | SERIES_COLUMN(PROCESS_page_tables_mib) |                             \
		SERIES_COLUMN(PROCESS_rss_mib) | SERIES_COLUMN(PROCESS_tmpfs_mib))

/* The most memory that any tick had, without file pages that the kernel can drop. Requires PEAKS_NEEDED_COLUMNS. */
double peaks_needed_of_ticks(const struct series *process);

/* Requires PEAKS_NEEDED_COLUMNS of process.csv, and own_bytes_find. Reads member.csv if there are several processes.
 * `stop` is the end of the run; `held_to_mib` is a limit that the peak cannot exceed. */
void peaks_find(struct peaks *peaks, const struct run *run, const struct series *process,
	const struct processes *processes, double stop, double held_to_mib);

#endif
