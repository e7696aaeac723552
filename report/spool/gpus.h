/* SPDX-License-Identifier: Apache-2.0 */
/* gpu.csv: what each GPU of the machine did during a run, and what the job had of it. */
#ifndef RTRACK_REPORT_SPOOL_GPUS_H
#define RTRACK_REPORT_SPOOL_GPUS_H

#include "core/number.h"
#include "report/say/json.h"

enum { GPUS_TEXT_MAX = 128, GPUS_MAX = 256 };

/* A GPU; what its rows do not tell is UNKNOWN. */
struct gpu {
	double index;
	char uuid[GPUS_TEXT_MAX];
	char name[GPUS_TEXT_MAX];
	double vram_total_mib;
	double peak_usage; /* of all that use it, 0 … 1 */
	double job_peak_usage;
	double job_mean_usage;
	double job_peak_vram_mib;
	double energy_wh;
	double job_energy_wh; /* in the ratio of usage, and of memory where it was not used */
	double throttled;     /* the part of its rows, 0 … 1, in which it was held back */
	size_t rows;
	size_t told;    /* rows that say what the job has */
	size_t clocked; /* … and whether it was held back */
};

struct gpus {
	size_t count;
	struct gpu *items; /* in the order of the file */
};

/* Without a gpu.csv there are none. */
void gpus_load(struct gpus *gpus, const char *directory);
void gpus_free(struct gpus *gpus);

/* Adds gpu_count, gpu_names, gpu_name and gpu_memory_mib to the server facts of a run that has a gpu.csv, where they
 * are not there. Only the first rows are read. */
void gpus_add_facts(cJSON *server, const char *directory);

#endif
