/* What rtrack-gpu tells the sampler of a run (SPOOL_GPU_FILE in the run's directory): one record, written over in place
 * by one write at each of its polls, and read whole. Both are programs of one version on one machine, so the record is
 * plain memory and no format. Neither of the two ever waits for the other: a record that is torn, since it is being
 * written, has another sum, and each record says until when it holds. */
#ifndef RTRACK_OS_GPU_H
#define RTRACK_OS_GPU_H

#include "core/base.h"

enum { GPU_USES_MAX = 2048 };

/* What a process has of all GPUs; UINT64_MAX (GAUGE_UNKNOWN): it cannot be told. */
struct gpu_use {
	uint64_t pid;
	uint64_t usage; /* 1/10000 of a GPU */
	uint64_t vram_kib;
};

/* What the machine, or the run, has of all GPUs; UNKNOWN: it cannot be told. */
struct gpu_sums {
	double usage; /* GPUs */
	double vram_mib;
	double utilized; /* GPUs with a usage above 0 */
};

struct gpu_record {
	uint64_t sum;     /* gpu_record_sum of all that follows */
	int64_t until_ns; /* since boot: the figures hold until then */
	struct gpu_sums machine;
	struct gpu_sums job;
	uint64_t pid;        /* rtrack-gpu's own; 0: it has ended */
	uint64_t package_uj; /* energy of the processor packages since rtrack-gpu began; UINT64_MAX: unknown */
	uint64_t told;       /* 1: a process that is not among `uses` has nothing; 0: that cannot be told */
	uint64_t count;
	struct gpu_use uses[GPU_USES_MAX];
};

/* How long a record of so many uses is, and the sum that it should have. */
size_t gpu_record_size(uint64_t count);
uint64_t gpu_record_sum(const struct gpu_record *record);

#endif
