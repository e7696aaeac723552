/* Runs beside others; see beside.h. */
#include "report/history/beside.h"

#include "core/number.h"
#include "report/history/together.h"

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

	return order != 0 ? order : (x->start_time > y->start_time) - (x->start_time < y->start_time);
}

static double stop_of(const struct beside *run)
{
	return run->start_time + known_first(run->use->seconds, 0);
}

/* How many of `count` runs, the first among them, were there at one time. */
static size_t count_beside(const struct beside *runs, size_t count)
{
	double stop = stop_of(&runs[0]);
	size_t next = 1;

	while (*runs->group && next < count && by_place(&runs[0], &runs[next]) == 0 && runs[next].start_time < stop)
		stop = known_larger(stop, stop_of(&runs[next++]));
	return next;
}

static int add_all(const struct beside *runs, size_t count)
{
	struct together all;
	struct use use;

	if (together_begin(&all, count) != 0)
		return -1;
	for (size_t i = 0; i < count; i++)
		together_add(&all, runs[i].start_time, stop_of(&runs[i]), UNKNOWN, runs[i].use);
	int any = together_end(&all, &use);
	if (any > 0)
		waste_add(runs[0].waste, &use);
	return any < 0 ? -1 : 0;
}

int beside_add_up(struct beside *runs, size_t count)
{
	if (count > 0)
		qsort(runs, count, sizeof *runs, by_start);
	for (size_t i = 0, together; i < count; i += together) {
		together = count_beside(&runs[i], count - i);
		if (add_all(&runs[i], together) != 0)
			return -1;
	}
	return 0;
}
