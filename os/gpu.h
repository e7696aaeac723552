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

/* GPU usage of one process on all GPUs. An unknown figure is UINT64_MAX (GAUGE_UNKNOWN). */
struct gpu_use {
	uint64_t pid;
	uint64_t usage; /* in 1/10000 of a GPU */
	uint64_t vram_kib;
};

/* GPU usage of the machine or the run, as sums over all GPUs. An unknown figure is UNKNOWN. */
struct gpu_sums {
	double usage; /* in GPUs */
	double vram_mib;
	double utilized; /* number of GPUs with a usage above 0 */
};

struct gpu_record {
	uint64_t sum;     /* checksum of the fields below (gpu_record_sum) */
	int64_t until_ns; /* time since boot at which the figures become invalid */
	struct gpu_sums machine;
	struct gpu_sums job;
	uint64_t pid;        /* pid of rtrack-gpu; 0 after it has ended */
	uint64_t package_uj; /* energy of the processor packages since the start of rtrack-gpu; UINT64_MAX if unknown */
	/* 1 if `uses` contains every process that uses a GPU; 0 if it may be incomplete */
	uint64_t told;
	uint64_t count;
	struct gpu_use uses[GPU_USES_MAX];
};

/* Return the size of a record that has `count` uses, and the checksum of a record. */
size_t gpu_record_size(uint64_t count);
uint64_t gpu_record_sum(const struct gpu_record *record);

#endif
