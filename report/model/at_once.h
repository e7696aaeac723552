/* SPDX-License-Identifier: Apache-2.0 */
/* The most that several had together that were there at one time, each with all that it ever had.
 *
 * One that ends in the instant in which another one begins was there with it: times are rounded. */
#ifndef RTRACK_REPORT_MODEL_AT_ONCE_H
#define RTRACK_REPORT_MODEL_AT_ONCE_H

#include <stddef.h>

struct at_once_change;
/* Zero before the first at_once_add. */
struct at_once {
	struct at_once_change *changes; /* owned until at_once_end */
	size_t count;
};

/* One that was there from `start` to `stop`, either of which may be infinite. UNKNOWN values are left out. */
void at_once_add(struct at_once *all, double start, double stop, double value);
/* The largest sum; UNKNOWN where none was added. */
double at_once_end(struct at_once *all);

#endif
