/* SPDX-License-Identifier: Apache-2.0 */
/* Computes the median of values, some of which may be UNKNOWN. */
#ifndef RTRACK_REPORT_MODEL_MEDIAN_H
#define RTRACK_REPORT_MODEL_MEDIAN_H

#include <stddef.h>

/* Sorts in ascending order; all values must be known. */
void median_sort(double *values, size_t count);

/* Returns the median of the known values, or UNKNOWN. Reorders `values`. */
double median_known(double *values, size_t count);

#endif
