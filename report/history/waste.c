/* SPDX-License-Identifier: Apache-2.0 */
/* Sums requested and used resources over runs. */
#include "report/history/waste.h"

#include "core/number.h"

#include <math.h>

static const double MIB_PER_GIB = 1024;
static const double SECONDS_PER_HOUR = 3600;

static bool add(struct waste_sum *sum, double asked, double used, double hours, double unit)
{
	sum->used_most = fmax(sum->used_most, known_first(used, 0));
	if (!(asked > 0) || !number_known(used))
		return false;
	sum->runs++;
	sum->asked += asked * hours / unit;
	sum->used += fmin(used, asked) * hours / unit;
	sum->asked_most = fmax(sum->asked_most, asked);
	return true;
}

void waste_add(struct waste *waste, const struct use *use)
{
	double hours = use->seconds / SECONDS_PER_HOUR;

	if (!(hours > 0) || !isfinite(hours))
		return;
	bool memory = add(&waste->of[WASTE_MEMORY], use->asked_mib, use->peak_mib, hours, MIB_PER_GIB);
	bool cpu = add(&waste->of[WASTE_CPU], use->asked_cpus, use->cpu_used / use->seconds, hours, 1);
	bool gpu = add(&waste->of[WASTE_GPU], use->asked_gpus, use->gpus, hours, 1);
	if (!memory && !cpu && !gpu)
		return;
	waste->runs++;
	waste->hours += hours;
}

void waste_join(struct waste *all, const struct waste *waste)
{
	all->runs += waste->runs;
	all->hours += waste->hours;
	for (int kind = 0; kind < WASTE_KINDS; kind++) {
		struct waste_sum *sum = &all->of[kind];
		const struct waste_sum *of = &waste->of[kind];
		sum->runs += of->runs;
		sum->asked += of->asked;
		sum->used += of->used;
		sum->asked_most = fmax(sum->asked_most, of->asked_most);
		sum->used_most = fmax(sum->used_most, of->used_most);
	}
}
