/* SPDX-License-Identifier: Apache-2.0 */
/* Sums what concurrent runs requested and used. */
#include "report/history/beside.h"

#include "core/number.h"
#include "report/say/array.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

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

/* -- sets of runs that overlap ----------------------------------------------------------------------- */

static int by_place(const struct beside *a, const struct beside *b)
{
	int order = strcmp(a->group, b->group);

	if (order == 0)
		order = strcmp(a->host, b->host);
	return order != 0 ? order : strcmp(a->parent, b->parent);
}

static int by_start(const void *a, const void *b)
{
	const struct beside *x = a, *y = b;
	int order = by_place(x, y);

	return order != 0 ? order : ORDER(x->start_time, y->start_time);
}

static double stop_of(const struct beside *run)
{
	return run->start_time + known_first(run->use->seconds, 0);
}

/* Returns the number of overlapping runs at the beginning of the array. A run overlaps if it begins while any run
 * before it is still running. */
static size_t count_beside(const struct beside *runs, size_t count)
{
	double stop = stop_of(&runs[0]);
	size_t next = 1;

	while (*runs->group && next < count && by_place(&runs[0], &runs[next]) == 0 && runs[next].start_time < stop)
		stop = known_larger(stop, stop_of(&runs[next++]));
	return next;
}

static void add_all(const struct beside *runs, size_t count)
{
	struct together all = together_begin();
	struct use use;

	for (size_t i = 0; i < count; i++)
		together_add(&all, runs[i].start_time, stop_of(&runs[i]), UNKNOWN, runs[i].use);
	if (together_end(&all, &use))
		waste_add(runs[0].waste, &use);
}

void beside_add_up(struct beside *runs, size_t count)
{
	array_sort(runs, count, by_start);
	for (size_t i = 0, together; i < count; i += together) {
		together = count_beside(&runs[i], count - i);
		add_all(&runs[i], together);
	}
}
