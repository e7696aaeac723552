/* SPDX-License-Identifier: Apache-2.0 */
/* gpu.csv: the activity of each GPU of the machine during a run, and the job's share. */
#ifndef RTRACK_REPORT_SPOOL_GPUS_H
#define RTRACK_REPORT_SPOOL_GPUS_H

#include "core/number.h"
#include "report/say/json.h"
#include "report/spool/files.h"

enum { GPUS_TEXT_MAX = 128, GPUS_MAX = 256 };

/* A GPU; figures that its rows lack are UNKNOWN. */
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
	/* energy of the job, by its share of the usage, or by its share of the memory if the GPU was not used */
	double job_energy_wh;
	double throttled; /* share of rows, 0 … 1, in which the GPU was throttled */
	size_t rows;
	size_t told;    /* number of rows with the job's share */
	size_t clocked; /* number of rows with the job's share and the throttle state */
};

struct gpus {
	size_t count;
	struct gpu *items; /* GPUs in file order */
};

/* Loads the GPUs; without gpu.csv there are none. */
void gpus_load(struct gpus *gpus, const struct files *files);
void gpus_free(struct gpus *gpus);

/* Adds missing gpu_count, gpu_names, gpu_name and gpu_memory_mib to the server facts of a run with a gpu.csv. Reads
 * only the first rows. */
void gpus_add_facts(cJSON *server, const struct files *files);

#endif
