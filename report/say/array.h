/* SPDX-License-Identifier: Apache-2.0 */
/* Arrays that grow by one item at a time, their order, and the search in a sorted one. */
#ifndef RTRACK_REPORT_SAY_ARRAY_H
#define RTRACK_REPORT_SAY_ARRAY_H

#include "report/say/alloc.h"

#include <stdlib.h>
#include <string.h>

/* Makes room for one item behind the `count` items of an array, which began as NULL and grew by this alone. `array` is
 * the address of its pointer. */
static inline void array_grow(void *array, size_t count, size_t item_size)
{
	void *items;

	if ((count & (count - 1)) != 0) /* there is room up to the next power of two */
		return;
	memcpy(&items, array, sizeof items);
	items = xreallocarray(items, count == 0 ? 1 : 2 * count, item_size);
	memcpy(array, &items, sizeof items);
}

/* -1, 0 or 1 as a is less than, equal to or greater than b: the result of a comparison function of qsort. */
#define ORDER(a, b) (((a) > (b)) - ((a) < (b)))

/* qsort, also of an empty array that is NULL. */
#define array_sort(items, count, compare) ((count) > 1 ? qsort((items), (count), sizeof *(items), (compare)) : (void)0)

/* The position of the first of `count` ascending values that is not below `value`; `count` if all are below. */
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
