/* SPDX-License-Identifier: Apache-2.0 */
/* Computes how much of the requested CPU, memory, GPU and time was used. */
#include "report/model/efficiency.h"

#include "core/base.h"

struct efficiency efficiency_of(
	const struct asked *asked, double seconds, double cpu_seconds, double memory_mib, double gpu_seconds)
{
	return (struct efficiency){
		.used = {cpu_seconds, memory_mib, gpu_seconds, seconds},
		.asked = {asked->cpus * seconds, asked->memory_mib, asked->gpus * seconds, asked->seconds},
	};
}

double efficiency_gpu_seconds(const struct totals *totals, const struct run *run, const struct series *process)
{
	return series_time_mean(process, PROCESS_gpu_usage, run->start_time) * totals->wall_seconds;
}

struct asked asked_of_run(const struct run *run)
{
	return (struct asked){
		run_asked(run, "cpu"), run_asked(run, "memory_mib"), run_asked(run, "gpu"), run_asked(run, "seconds")};
}

struct efficiency efficiency_of_run(const struct totals *totals, const struct run *run, const struct series *process)
{
	const struct asked asked = asked_of_run(run);

	return efficiency_of(&asked, totals->wall_seconds, totals->cpu_seconds,
		known_first(totals->peak_memory_needed_mib, totals->peak_memory_mib),
		efficiency_gpu_seconds(totals, run, process));
}

void efficiency_add(struct efficiency *sum, const struct efficiency *other)
{
	for (int kind = 0; kind < EFFICIENCY_COUNT; kind++) {
		sum->used[kind] += other->used[kind];
		sum->asked[kind] += other->asked[kind];
	}
}

void efficiency_follow(struct efficiency *sum, const struct efficiency *other)
{
	static const enum efficiency_kind largest[] = {EFFICIENCY_memory, EFFICIENCY_time};
	const struct efficiency before = *sum;

	efficiency_add(sum, other);
	for (size_t i = 0; i < ARRAY_LENGTH(largest); i++) {
		enum efficiency_kind kind = largest[i];
		sum->used[kind] = known_larger(before.used[kind], other->used[kind]);
		sum->asked[kind] = known_larger(before.asked[kind], other->asked[kind]);
	}
}

void efficiency_tell(const struct efficiency *efficiency, struct totals *totals)
{
	double *const shares[EFFICIENCY_COUNT] = {
		&totals->efficiency_cpu, &totals->efficiency_memory, &totals->efficiency_gpu, &totals->efficiency_time};

	for (int kind = 0; kind < EFFICIENCY_COUNT; kind++)
		*shares[kind] =
			efficiency->asked[kind] > 0 ? efficiency->used[kind] / efficiency->asked[kind] : UNKNOWN;
}
