/* SPDX-License-Identifier: Apache-2.0 */
/* Whether a run had its machine for itself; see allocation.h. */
#include "report/model/allocation.h"

#include "core/base.h"

static const struct {
	int process;
	int system;
	double factor; /* "shared": the machine's mean is more than this many times the job's, */
	double more;   /* or exceeds it by more than this */
} limits[] = {
	{PROCESS_cpu_usage, SYSTEM_cpu_usage, 1.25, 0.25},
	{PROCESS_memory_mib, SYSTEM_memory_used_mib, 1.5, 512},
	{PROCESS_gpu_usage, SYSTEM_gpu_usage, 1.25, 0.2},
	{PROCESS_gpu_vram_mib, SYSTEM_gpu_vram_mib, 1.25, 512},
};

const char *allocation_guess(const struct series *process, const struct series *system)
{
	const char *guess = NULL;

	for (size_t i = 0; i < ARRAY_LENGTH(limits); i++) {
		double job = series_mean(process, limits[i].process);
		double machine = series_mean(system, limits[i].system);
		if (!number_known(job) || !number_known(machine))
			continue;
		if (machine > job * limits[i].factor || machine > job + limits[i].more)
			return "shared";
		guess = "dedicated";
	}
	return guess;
}
