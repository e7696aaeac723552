/* SPDX-License-Identifier: Apache-2.0 */
/* Functions for arrays: growing by one item at a time, sorting, and binary search. */
#ifndef RTRACK_REPORT_SAY_ARRAY_H
#define RTRACK_REPORT_SAY_ARRAY_H

#include "report/say/alloc.h"

#include <stdlib.h>
#include <string.h>

/* Makes room for one more item after `count` items. `array` is the address of the pointer to the array. The pointer
 * must be NULL at first, and only this function may change the array's size. */
static inline void array_grow(void *array, size_t count, size_t item_size)
{
	void *items;

	/* the capacity is always a power of two, so there is room unless `count` is a power of two */
	if ((count & (count - 1)) != 0)
		return;
	memcpy(&items, array, sizeof items);
	items = xreallocarray(items, count == 0 ? 1 : 2 * count, item_size);
	memcpy(array, &items, sizeof items);
}

/* Result of a comparison function for qsort: -1, 0 or 1 if a is less than, equal to or greater than b. */
#define ORDER(a, b) (((a) > (b)) - ((a) < (b)))

/* Like qsort, but `items` may be NULL if `count` is 0. */
#define array_sort(items, count, compare) ((count) > 1 ? qsort((items), (count), sizeof *(items), (compare)) : (void)0)

/* Like array_sort, for an array of pointers to the items. */
#define array_sort_pointers(items, count, compare)                                                                     \
	((count) > 1 ? qsort((items), (count), sizeof(void *), (compare)) : (void)0)

/* Returns the index of the first value that is not less than `value`, or `count` if there is none. The values must be
 * ascending. */
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
