/* SPDX-License-Identifier: Apache-2.0 */
/* The largest sum of values whose lifetimes overlap, such as the peaks of processes or runs.
 *
 * Each value counts in full from its start to its end. Values that end and begin at the same instant overlap, because
 * times are rounded. */
#ifndef RTRACK_REPORT_MODEL_AT_ONCE_H
#define RTRACK_REPORT_MODEL_AT_ONCE_H

#include <stddef.h>

struct at_once_change;
/* Accumulator. Initialize with zeros before the first at_once_add. */
struct at_once {
	struct at_once_change *changes; /* freed by at_once_end */
	size_t count;
};

/* Adds a value that exists from `start` to `stop`; either may be infinite. An UNKNOWN value is ignored. */
void at_once_add(struct at_once *all, double start, double stop, double value);
/* Returns the largest sum, or UNKNOWN if no value was added. Frees the accumulator. */
double at_once_end(struct at_once *all);

#endif
