/* SPDX-License-Identifier: Apache-2.0 */
/* Computes how much of the requested resources a group used.
 *
 * Ranks and steps of one Slurm job share an allocation, so its request is counted only once per node. With other
 * orchestrators, each part has its own allocation. The requests of all allocations are added, except those of the
 * attempts of a requeued job, which ran one after another. */
#include "report/model/runs_peak.h"
#include "report/model/group.h"
#include "report/say/alloc.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Returns the Slurm job whose allocation the run uses, or "" if the run has its own allocation. */
static const char *allocation_of(const struct run *run)
{
	return run_label(run, "slurm_job_id");
}

/* Returns whether two runs share an allocation. A requeued Slurm job keeps its id but gets a new allocation, so the
 * attempts are compared too. */
static bool same_allocation(const struct run *a, const struct run *b)
{
	const cJSON *labels = cJSON_GetObjectItemCaseSensitive(a->json, "labels");
	const cJSON *other = cJSON_GetObjectItemCaseSensitive(b->json, "labels");

	return *allocation_of(a) && strcmp(allocation_of(a), allocation_of(b)) == 0 &&
	       strcmp(json_string(labels, "attempt"), json_string(other, "attempt")) == 0;
}

static bool same_job(const struct run *a, const struct run *b)
{
	return *allocation_of(a) && strcmp(allocation_of(a), allocation_of(b)) == 0;
}

/* Returns whether an earlier part of the array is another attempt of the same job. */
static bool is_attempt(const struct group *group, const struct group_part *part)
{
	for (const struct group_part *before = group->parts; before < part; before++)
		if (!before->within && same_job(&before->run, &part->run))
			return true;
	return false;
}

static bool are_of_one_job(const struct group *group)
{
	for (size_t i = 1; i < group->count; i++)
		if (!same_job(&group->parts[0].run, &group->parts[i].run))
			return false;
	return true;
}

static void take_larger(struct asked *most, const struct run *run)
{
	most->cpus = known_larger(most->cpus, run_asked(run, "cpu"));
	most->memory_mib = known_larger(most->memory_mib, run_asked(run, "memory_mib"));
	most->gpus = known_larger(most->gpus, run_asked(run, "gpu"));
	most->seconds = known_larger(most->seconds, run_asked(run, "seconds"));
}

/* Adds the resources of those nodes of the allocation on which no part ran. */
static void add_idle_nodes(struct asked *sum, size_t nodes_seen, const struct run *run)
{
	double nodes = run_asked(run, "nodes") / (double)nodes_seen;

	if (nodes > 1) {
		sum->cpus *= nodes;
		sum->memory_mib *= nodes;
		sum->gpus *= nodes;
	}
	sum->cpus = known_first(run_asked(run, "job_cpu"), sum->cpus);
}

static const struct asked nothing_asked = {UNKNOWN, UNKNOWN, UNKNOWN, UNKNOWN};

/* Returns the request of an allocation, summed over its nodes. */
static struct asked asked_of(const struct group *group, struct group_part *const *parts, size_t count)
{
	struct asked sum = nothing_asked;
	size_t nodes = 0;

	for (size_t host = 0; host < group->host_count; host++) {
		struct asked node = nothing_asked;
		size_t here = 0;
		for (size_t i = 0; i < count; i++)
			if (parts[i]->host == host) {
				take_larger(&node, &parts[i]->run);
				here++;
			}
		nodes += here > 0;
		known_add(&sum.cpus, node.cpus);
		known_add(&sum.memory_mib, node.memory_mib);
		known_add(&sum.gpus, node.gpus);
		sum.seconds = known_larger(sum.seconds, node.seconds);
	}
	add_idle_nodes(&sum, nodes, &parts[0]->run);
	return sum;
}

static double needed_of(const struct totals *totals)
{
	return known_first(totals->peak_memory_needed_mib, totals->peak_memory_mib);
}

static void add_allocation(struct group *group, struct group_part *const *parts, size_t count, bool attempt)
{
	struct asked asked = asked_of(group, parts, count);
	double start = INFINITY, stop = UNKNOWN, cpu = UNKNOWN, gpu = UNKNOWN;
	struct run_peak *runs = xcalloc(count, sizeof *runs);

	for (size_t i = 0; i < count; i++) {
		const struct group_part *part = parts[i];
		start = fmin(start, part->run.start_time);
		stop = known_larger(stop, known_first(part->run.stop_time, group->stop_time));
		known_add(&cpu, part->totals.cpu_seconds);
		known_add(&gpu, part->gpu_seconds);
		runs[i] = (struct run_peak){
			part->run.start_time, part->last_time, UNKNOWN, needed_of(&part->totals), UNKNOWN};
	}
	double together = runs_peak_find(runs, count, NULL, UNKNOWN).peak_mib;
	free(runs);
	double peak = count == group->counted ? needed_of(&group->totals) : together;
	struct efficiency one = efficiency_of(&asked, stop - start, cpu, peak, gpu);
	if (attempt)
		efficiency_follow(&group->efficiency, &one);
	else
		efficiency_add(&group->efficiency, &one);
	group->asked = count == group->counted || are_of_one_job(group) ? asked : nothing_asked;
}

void group_find_efficiency(struct group *group)
{
	struct group_part **parts = xcalloc(group->count, sizeof(struct group_part *));
	bool *done = xcalloc(group->count, sizeof *done);

	group->efficiency = (struct efficiency){{0}, {0}};
	group->asked = nothing_asked;
	for (size_t i = 0; i < group->count; i++) {
		size_t count = 0;
		if (done[i] || group->parts[i].within)
			continue;
		for (size_t k = i; k < group->count; k++)
			if (k == i || (!done[k] && !group->parts[k].within &&
					      same_allocation(&group->parts[i].run, &group->parts[k].run))) {
				parts[count++] = &group->parts[k];
				done[k] = true;
			}
		add_allocation(group, parts, count, is_attempt(group, &group->parts[i]));
	}
	free(parts);
	free(done);
	efficiency_tell(&group->efficiency, &group->totals);
}
