/* The median of figures of which some may be UNKNOWN. */
#ifndef RTRACK_REPORT_HISTORY_MEDIAN_H
#define RTRACK_REPORT_HISTORY_MEDIAN_H

#include <stddef.h>

/* Of the known ones; UNKNOWN when there is none. Leaves `values` in another order. */
double median_known(double *values, size_t count);

#endif
