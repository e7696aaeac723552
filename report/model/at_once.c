/* The most that several had together; see at_once.h. */
#include "report/model/at_once.h"

#include "core/number.h"

#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

struct at_once_change {
	double time;
	double value;
	bool end;
};

static int by_change_time(const void *a, const void *b)
{
	const struct at_once_change *x = a, *y = b;
	if (x->time != y->time)
		return x->time < y->time ? -1 : 1;
	return x->end - y->end;
}

int at_once_begin(struct at_once *all, size_t most)
{
	*all = (struct at_once){.changes = malloc((2 * most + 1) * sizeof *all->changes)};
	if (all->changes)
		return 0;
	errno = ENOMEM;
	return -1;
}

void at_once_add(struct at_once *all, double start, double stop, double value)
{
	if (!number_known(value))
		return;
	all->changes[all->count++] = (struct at_once_change){start, value, false};
	all->changes[all->count++] = (struct at_once_change){fmax(start, stop), value, true};
}

double at_once_end(struct at_once *all)
{
	double sum = 0, largest = all->count > 0 ? 0 : UNKNOWN;
	size_t there = 0;

	qsort(all->changes, all->count, sizeof *all->changes, by_change_time);
	for (size_t i = 0; i < all->count; i++) {
		const struct at_once_change *change = &all->changes[i];
		sum += change->end ? -change->value : change->value;
		there += change->end ? (size_t)-1 : 1;
		if (there == 0) /* rounding leaves crumbs of those that are gone */
			sum = 0;
		largest = fmax(largest, sum);
	}
	free(all->changes);
	*all = (struct at_once){0};
	return largest;
}
