/* SPDX-License-Identifier: Apache-2.0 */
/* The resources in a request, and the classic rule (the predecessor's) that derives them from usage:
 *
 *   cpu     the mean CPU usage, rounded like Python (half to even), at least 1
 *   memory  the peak × 1.2, rounded up to 128, 256, 512, 1024 or 2048 MiB, above that to whole GiB
 *   gpu     the peak of GPUs in use, rounded, at least 1; 0 if none was used
 *   vram    the peak × 1.2, rounded like memory; 0 if none was used */
#ifndef RTRACK_REPORT_ADVICE_RESOURCES_H
#define RTRACK_REPORT_ADVICE_RESOURCES_H

#include <stdbool.h>

struct resources {
	double cpu;
	double memory_mib; /* Each resource is UNKNOWN if it was not measured. */
	double gpu;
	double vram_mib;
	double seconds;  /* limit of the run time */
	double disk_mib; /* space for output; 0 if nothing was written */
	/* The ranks that share the CPUs and memory of a machine, the ranks on all machines, and the CPUs of each rank.
	 * 0 for a job without ranks. */
	double ranks, tasks, rank_cpus;
	bool spread; /* whether the ranks run on several machines */
};

/* Computes a request by the classic rule, which does not request a run time. `peak_gpus` is 0 if no GPU was used. */
struct resources resources_by_rule(double mean_cpu, double peak_memory_mib, double peak_gpus, double peak_vram_mib);

/* Rounds memory up to the next size that the classic rule can request. */
double resources_round_memory(double mib);

/* Sets the CPUs of each rank. Together, the ranks get no more CPUs than the machine has: `vcpus`, or UNKNOWN. */
void resources_divide(struct resources *resources, double vcpus);

/* Returns whether each of several ranks has CPUs of its own. */
bool resources_are_divided(const struct resources *resources);

/* Returns the CPUs that are requested for all ranks together. */
double resources_cpus(const struct resources *resources);

/* Formats "16 ranks × 5 CPUs". The text is "" for a job without ranks. */
enum { RESOURCES_RANKS_SIZE = 64 };
const char *resources_describe_ranks(const struct resources *resources, char text[RESOURCES_RANKS_SIZE]);

/* Return the run time in whole minutes, and the memory in whole megabytes of 1,000,000 bytes. Both are 0 if not
 * requested. */
double resources_minutes(const struct resources *resources);
double resources_megabytes(const struct resources *resources);

#endif
