/* SPDX-License-Identifier: Apache-2.0 */
/* The peak of a run's memory: what all of its processes had together at one time.
 *
 * Ticks read the sum of the processes that live, and nothing reads it between two ticks. The records of a process tell
 * its own peak and when it lived. From these follow three figures: what the tree had at least, what it had at most, and
 * between them the one peak that all reports show. Only known processes count. docs/report.md states the rules. */
#ifndef RTRACK_REPORT_MODEL_PEAKS_H
#define RTRACK_REPORT_MODEL_PEAKS_H

#include "report/spool/processes.h"
#include "report/spool/run.h"
#include "report/spool/series.h"

struct peaks {
	double least_mib;   /* the largest tick, or the largest process */
	double peak_mib;    /* UNKNOWN as the others, where nothing is known */
	double needed_mib;  /* the same peak of what is no file page, and of those what core/needed.h says */
	double most_mib;    /* the largest sum of own bytes of processes that lived at one time */
	double process_mib; /* the largest process */
};

/* The columns of process.csv that tell the needed part of the memory. */
#define PEAKS_NEEDED_COLUMNS                                                                                           \
	(SERIES_COLUMN(PROCESS_memory_mib) | SERIES_COLUMN(PROCESS_memory_file_mib) |                                  \
		SERIES_COLUMN(PROCESS_locked_mib) | SERIES_COLUMN(PROCESS_lazy_free_mib) |                             \
		SERIES_COLUMN(PROCESS_swap_mib) | SERIES_COLUMN(PROCESS_page_tables_mib) |                             \
		SERIES_COLUMN(PROCESS_rss_mib))

/* The most that was needed in a tick. Needs PEAKS_NEEDED_COLUMNS. */
double peaks_needed_of_ticks(const struct series *process);

/* Needs PEAKS_NEEDED_COLUMNS of process.csv, and own_bytes_find. Reads member.csv where there is more than one process.
 * `stop`: the end of the run; `held_to_mib`: the run cannot have had more at one time. */
void peaks_find(struct peaks *peaks, const struct run *run, const struct series *process,
	const struct processes *processes, double stop, double held_to_mib);

#endif
