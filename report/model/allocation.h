/* SPDX-License-Identifier: Apache-2.0 */
/* Guesses whether a run was the only job on its machine, by the same rule as resource-tracker.
 *
 * The guess is "shared" if the machine's mean of CPUs, memory, GPUs or GPU memory is well above the job's mean, and
 * otherwise "dedicated". allocation.c has the thresholds. Returns NULL if the run has no rows to compare. */
#ifndef RTRACK_REPORT_MODEL_ALLOCATION_H
#define RTRACK_REPORT_MODEL_ALLOCATION_H

#include "report/spool/series.h"

const char *allocation_guess(const struct series *process, const struct series *system);

/* Columns that allocation_guess needs. */
#define ALLOCATION_PROCESS_COLUMNS                                                                                     \
	(SERIES_COLUMN(PROCESS_cpu_usage) | SERIES_COLUMN(PROCESS_memory_mib) | SERIES_COLUMN(PROCESS_gpu_usage) |     \
		SERIES_COLUMN(PROCESS_gpu_vram_mib))
#define ALLOCATION_SYSTEM_COLUMNS                                                                                      \
	(SERIES_COLUMN(SYSTEM_cpu_usage) | SERIES_COLUMN(SYSTEM_memory_used_mib) | SERIES_COLUMN(SYSTEM_gpu_usage) |   \
		SERIES_COLUMN(SYSTEM_gpu_vram_mib))

#endif
