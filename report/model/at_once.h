/* SPDX-License-Identifier: Apache-2.0 */
/* Computes the largest sum of values whose lifetimes overlap, such as the peaks of processes or runs.
 *
 * Each value is counted in full from its start to its end. If one value ends at the same time as another begins, the
 * two overlap, because times are rounded. */
#ifndef RTRACK_REPORT_MODEL_AT_ONCE_H
#define RTRACK_REPORT_MODEL_AT_ONCE_H

#include <stddef.h>

struct at_once_change;
/* The values added so far. Initialize with zeros before the first at_once_add. */
struct at_once {
	struct at_once_change *changes; /* freed by at_once_end */
	size_t count;
};

/* Adds a value that exists from `start` to `stop`. Both times may be infinite. An UNKNOWN value is ignored. */
void at_once_add(struct at_once *all, double start, double stop, double value);
/* Returns the largest sum, or UNKNOWN if no value was added. Frees the values. */
double at_once_end(struct at_once *all);

#endif
