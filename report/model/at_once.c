/* SPDX-License-Identifier: Apache-2.0 */
/* Computes the largest sum of values whose lifetimes overlap. */
#include "report/model/at_once.h"

#include "core/number.h"
#include "report/say/array.h"

#include <math.h>
#include <stdbool.h>

struct at_once_change {
	double time;
	double value;
	bool end;
};

static int by_change_time(const void *a, const void *b)
{
	const struct at_once_change *x = a, *y = b;
	int order = ORDER(x->time, y->time);

	return order != 0 ? order : x->end - y->end;
}

static void add_change(struct at_once *all, struct at_once_change change)
{
	array_grow(&all->changes, all->count, sizeof *all->changes);
	all->changes[all->count++] = change;
}

void at_once_add(struct at_once *all, double start, double stop, double value)
{
	if (!number_known(value))
		return;
	add_change(all, (struct at_once_change){start, value, false});
	add_change(all, (struct at_once_change){fmax(start, stop), value, true});
}

double at_once_end(struct at_once *all)
{
	double sum = 0, largest = all->count > 0 ? 0 : UNKNOWN;
	size_t there = 0;

	array_sort(all->changes, all->count, by_change_time);
	for (size_t i = 0; i < all->count; i++) {
		const struct at_once_change *change = &all->changes[i];
		sum += change->end ? -change->value : change->value;
		there += change->end ? (size_t)-1 : 1;
		if (there == 0) /* no value is left, so the sum would only contain rounding errors */
			sum = 0;
		largest = fmax(largest, sum);
	}
	free(all->changes);
	*all = (struct at_once){0};
	return largest;
}
