/* Arrays that grow by one item at a time. */
#ifndef RTRACK_REPORT_SAY_ARRAY_H
#define RTRACK_REPORT_SAY_ARRAY_H

#include <stdlib.h>
#include <string.h>

/* Makes room for one item behind the `count` items of an array, which began as NULL and grew by this alone. `array` is
 * the address of its pointer. Returns 0, or -1 when there is no memory. */
static inline int array_grow(void *array, size_t count, size_t item_size)
{
	void *items;

	if ((count & (count - 1)) != 0) /* there is room up to the next power of two */
		return 0;
	memcpy(&items, array, sizeof items);
	items = realloc(items, (count == 0 ? 1 : 2 * count) * item_size);
	if (!items)
		return -1;
	memcpy(array, &items, sizeof items);
	return 0;
}

#endif
