/* SPDX-License-Identifier: Apache-2.0 */
/* Reads gpu.csv, which records the activity of each GPU of the machine and the job's share of it. */
#ifndef RTRACK_REPORT_SPOOL_GPUS_H
#define RTRACK_REPORT_SPOOL_GPUS_H

#include "core/number.h"
#include "report/say/json.h"
#include "report/spool/files.h"

enum { GPUS_TEXT_MAX = 128, GPUS_MAX = 256 };

/* Figures of one GPU. A figure is UNKNOWN if no row contains it. */
struct gpu {
	double index;
	char uuid[GPUS_TEXT_MAX];
	char name[GPUS_TEXT_MAX];
	double vram_total_mib;
	double peak_usage; /* usage by all processes, 0 … 1 */
	double job_peak_usage;
	double job_mean_usage;
	double job_peak_vram_mib;
	double energy_wh;
	/* energy attributed to the job in proportion to its share of the GPU usage, or of the GPU memory if the GPU was
	 * not used */
	double job_energy_wh;
	double throttled; /* fraction (0 … 1) of the rows in which the GPU was throttled */
	size_t rows;
	size_t told;    /* number of rows that contain the job's usage of the GPU */
	size_t clocked; /* number of rows that contain the throttle state */
};

struct gpus {
	size_t count;
	struct gpu *items; /* GPUs in file order */
};

/* Loads the GPUs from gpu.csv. If the file does not exist, there are none. */
void gpus_load(struct gpus *gpus, const struct files *files);
void gpus_free(struct gpus *gpus);

/* Adds gpu_count, gpu_names, gpu_name and gpu_memory_mib to `server` ("server" in run.json) if they are missing and the
 * run has a gpu.csv. Reads only the first rows of the file. */
void gpus_add_facts(cJSON *server, const struct files *files);

#endif
