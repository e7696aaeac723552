/* SPDX-License-Identifier: Apache-2.0 */
/* The median of figures of which some may be UNKNOWN. */
#ifndef RTRACK_REPORT_MODEL_MEDIAN_H
#define RTRACK_REPORT_MODEL_MEDIAN_H

#include <stddef.h>

/* From the least to the greatest; all are known. */
void median_sort(double *values, size_t count);

/* The median of the known figures; UNKNOWN when there is none. Changes the order of `values`. */
double median_known(double *values, size_t count);

#endif
