/* SPDX-License-Identifier: Apache-2.0 */
/* Guesses whether a run was the only job on its machine. */
#include "report/model/allocation.h"

#include "core/base.h"

static const struct {
	int process;
	int system;
	double factor; /* the guess is "shared" if the machine's mean is above the job's mean times this */
	double more;   /* the guess is "shared" if the machine's mean is above the job's mean plus this */
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
