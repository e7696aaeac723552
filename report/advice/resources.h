/* SPDX-License-Identifier: Apache-2.0 */
/* What a job asks for; and the classic rule, the predecessor's, on what one used:
 *
 *   cpu     the mean CPU usage, rounded as Python does (half to even), at least 1
 *   memory  the peak × 1.2, rounded up to 128, 256, 512, 1024 or 2048 MiB, above that to whole GiB
 *   gpu     the peak of GPUs in use, rounded, at least 1; 0 when none was used
 *   vram    the peak × 1.2, rounded as memory is; 0 when none was used */
#ifndef RTRACK_REPORT_ADVICE_RESOURCES_H
#define RTRACK_REPORT_ADVICE_RESOURCES_H

#include <stdbool.h>

struct resources {
	double cpu;
	double memory_mib; /* UNKNOWN: it was not measured; so are the others */
	double gpu;
	double vram_mib;
	double seconds;  /* a limit of the run time */
	double disk_mib; /* room for what is written; 0: nothing was */
	double ranks;    /* that run on one machine, and share CPUs and memory; 0: it is no job of ranks */
	bool spread;     /* ranks run on several machines */
};

/* The rule, which says nothing of the run time; `peak_gpus`: 0 where none was used. */
struct resources resources_by_rule(double mean_cpu, double peak_memory_mib, double peak_gpus, double peak_vram_mib);

/* Up to the next size that is asked for. */
double resources_round_memory(double mib);

/* The run time in whole minutes, and the memory in whole megabytes of 1,000,000 bytes; 0 where none is asked for. */
double resources_minutes(const struct resources *resources);
double resources_megabytes(const struct resources *resources);

#endif
