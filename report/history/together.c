/* SPDX-License-Identifier: Apache-2.0 */
/* Combines the usage of several runs on one machine. */
#include "report/history/together.h"

#include "core/number.h"
#include "report/say/array.h"

#include <math.h>
#include <stdlib.h>

struct together together_begin(void)
{
	return (struct together){.start = UNKNOWN, .stop = UNKNOWN, .machine_mib = UNKNOWN};
}

static void end_now(struct together *all)
{
	if (all->any_before)
		use_follow(&all->before, &all->now);
	else
		all->before = all->now;
	all->any_before = true;
	all->any_now = false;
}

void together_add(struct together *all, double start, double stop, double machine_mib, const struct use *use)
{
	double end = known_first(stop, INFINITY);

	if (all->any_now && start >= all->stop)
		end_now(all);
	if (all->any_now)
		use_add(&all->now, use);
	else
		all->now = *use;
	all->any_now = true;
	all->start = known_first(all->start, start);
	all->stop = known_larger(all->stop, end);
	all->machine_mib = known_larger(all->machine_mib, machine_mib);
	array_grow(&all->runs, all->count, sizeof *all->runs);
	all->runs[all->count++] = (struct run_peak){start, end, UNKNOWN, use->peak_mib, use->peak_most_mib};
}

bool together_end(struct together *all, struct use *use)
{
	struct runs_peak peak = runs_peak_find(all->runs, all->count, NULL, UNKNOWN);

	free(all->runs);
	if (all->any_now)
		end_now(all);
	if (!all->any_before)
		return false;
	*use = all->before;
	if (isfinite(all->stop))
		use->seconds = all->stop - all->start;
	use->peak_most_mib = use_peak_at_most(use, all->machine_mib, peak.most_mib);
	if (number_known(peak.peak_mib))
		use->peak_mib = fmin(fmin(peak.peak_mib, all->machine_mib), use->peak_most_mib);
	return true;
}
