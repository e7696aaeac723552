/* SPDX-License-Identifier: Apache-2.0 */
/* Arrays that grow by one item at a time, sorting, and binary search. */
#ifndef RTRACK_REPORT_SAY_ARRAY_H
#define RTRACK_REPORT_SAY_ARRAY_H

#include "report/say/alloc.h"

#include <stdlib.h>
#include <string.h>

/* Makes room for one item after `count` items. The array must have started as NULL and grown only by this function.
 * `array` is the address of its pointer. */
static inline void array_grow(void *array, size_t count, size_t item_size)
{
	void *items;

	if ((count & (count - 1)) != 0) /* the capacity is the next power of two */
		return;
	memcpy(&items, array, sizeof items);
	items = xreallocarray(items, count == 0 ? 1 : 2 * count, item_size);
	memcpy(array, &items, sizeof items);
}

/* Comparison for qsort: -1, 0 or 1 if a is less than, equal to or greater than b. */
#define ORDER(a, b) (((a) > (b)) - ((a) < (b)))

/* Like qsort, but accepts an empty array that is NULL. */
#define array_sort(items, count, compare) ((count) > 1 ? qsort((items), (count), sizeof *(items), (compare)) : (void)0)

/* The same for an array of pointers. */
#define array_sort_pointers(items, count, compare)                                                                     \
	((count) > 1 ? qsort((items), (count), sizeof(void *), (compare)) : (void)0)

/* The index of the first of `count` ascending values that is not below `value`, or `count`. */
static inline size_t array_lower_bound(const double *values, size_t count, double value)
{
	size_t low = 0, high = count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (values[middle] < value)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

#endif
