/* SPDX-License-Identifier: Apache-2.0 */
/* Sums what concurrent runs requested and used. */
#include "report/history/beside.h"

#include "core/number.h"
#include "report/history/together.h"
#include "report/say/array.h"

#include <stdlib.h>
#include <string.h>

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

/* The number of runs, from the first on, that overlap as one set. */
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
