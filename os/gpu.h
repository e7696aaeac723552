/* SPDX-License-Identifier: Apache-2.0 */
/* Data that rtrack-gpu passes to the sampler of a run, in SPOOL_GPU_FILE of the run's directory.
 *
 * The file holds one record. rtrack-gpu overwrites it with one write per poll, and the sampler reads it whole. Both
 * programs have the same version and run on the same machine, so the record is a plain struct. There is no lock. A
 * checksum detects a record that is being written, and each record contains the time until which it is valid. */
#ifndef RTRACK_OS_GPU_H
#define RTRACK_OS_GPU_H

#include "core/base.h"

enum { GPU_USES_MAX = 2048 };

/* Use of all GPUs by one process; UINT64_MAX (GAUGE_UNKNOWN) if unknown. */
struct gpu_use {
	uint64_t pid;
	uint64_t usage; /* in 1/10000 of a GPU */
	uint64_t vram_kib;
};

/* Use of all GPUs by the machine or the run; UNKNOWN if unknown. */
struct gpu_sums {
	double usage; /* in GPUs */
	double vram_mib;
	double utilized; /* number of GPUs that were busy at all */
};

struct gpu_record {
	uint64_t sum;     /* checksum: gpu_record_sum of the fields below */
	int64_t until_ns; /* time since boot until which the figures are valid */
	struct gpu_sums machine;
	struct gpu_sums job;
	uint64_t pid;        /* pid of rtrack-gpu; 0 after it has ended */
	uint64_t package_uj; /* energy of the processor packages since rtrack-gpu started; UINT64_MAX if unknown */
	/* 1 if a process that is missing from `uses` uses no GPU; 0 if its use is unknown */
	uint64_t told;
	uint64_t count;
	struct gpu_use uses[GPU_USES_MAX];
};

/* Return the size of a record with `count` uses, and the checksum of a record. */
size_t gpu_record_size(uint64_t count);
uint64_t gpu_record_sum(const struct gpu_record *record);

#endif
