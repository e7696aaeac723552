/* SPDX-License-Identifier: Apache-2.0 */
/* Computes a request from usage by the classic rule. */
#include "report/advice/resources.h"

#include "core/number.h"

#include <math.h>
#include <stdio.h>

static const double HEADROOM = 1.2;
static const double GREATEST = 1099511627776; /* maximum request, because damaged files may contain absurd figures */

static double bounded(double value)
{
	return value > GREATEST ? GREATEST : value;
}

double resources_round_memory(double mib)
{
	static const double steps[] = {128, 256, 512, 1024, 2048};

	for (size_t i = 0; i < ARRAY_LENGTH(steps); i++)
		if (mib <= steps[i])
			return steps[i];
	return number_known(mib) ? ceil(bounded(mib) / 1024) * 1024 : UNKNOWN;
}

/* Rounds to the nearest integer, ties to even, at least 1. */
static double whole_units(double value)
{
	double rounded = rint(bounded(value));
	return number_known(value) && rounded < 1 ? 1 : rounded;
}

struct resources resources_by_rule(double mean_cpu, double peak_memory_mib, double peak_gpus, double peak_vram_mib)
{
	return (struct resources){
		.cpu = whole_units(mean_cpu),
		.memory_mib = resources_round_memory(peak_memory_mib * HEADROOM),
		.gpu = peak_gpus > 0 ? whole_units(peak_gpus) : 0,
		.vram_mib = peak_vram_mib > 0 ? resources_round_memory(peak_vram_mib * HEADROOM) : 0,
		.seconds = UNKNOWN,
		.disk_mib = UNKNOWN,
	};
}

void resources_divide(struct resources *resources, double vcpus)
{
	double ranks = resources->ranks, cpus = ceil(resources->cpu / ranks);

	if (!(ranks >= 1) || !(resources->cpu > 0))
		return;
	if (cpus * ranks > vcpus)
		cpus = fmax(floor(vcpus / ranks), 1);
	resources->rank_cpus = cpus;
}

bool resources_are_divided(const struct resources *resources)
{
	return resources->tasks > 1 && resources->rank_cpus > 0;
}

double resources_cpus(const struct resources *resources)
{
	return resources_are_divided(resources) ? resources->tasks * resources->rank_cpus : resources->cpu;
}

const char *resources_describe_ranks(const struct resources *resources, char text[RESOURCES_RANKS_SIZE])
{
	*text = '\0';
	if (resources_are_divided(resources))
		snprintf(text, RESOURCES_RANKS_SIZE, "%.0f ranks × %.0f CPU%s", resources->tasks, resources->rank_cpus,
			resources->rank_cpus == 1 ? "" : "s");
	return text;
}

double resources_minutes(const struct resources *resources)
{
	return resources->seconds > 0 ? ceil(resources->seconds / 60) : 0;
}

double resources_megabytes(const struct resources *resources)
{
	static const double MEBI = 1048576, MEGA = 1e6;
	return resources->memory_mib > 0 ? ceil(resources->memory_mib * MEBI / MEGA) : 0;
}
