/* The most memory that the processes of a run can have had at one time.
 *
 * Nobody sees the sum between two ticks. But the records of each process tell its peak and when it lived: the largest
 * sum of peaks over processes that lived at the same time is an upper bound of the tree's memory. */
#ifndef RTRACK_REPORT_FIGURES_TREE_PEAK_H
#define RTRACK_REPORT_FIGURES_TREE_PEAK_H

#include "report/spool/processes.h"

/* The bound in MiB. A process whose end is unknown counts as living until `stop`, one whose peak is unknown as having
 * `largest_mib`. Returns 0; or -1 with errno when there is no memory. UNKNOWN without a process, or when no such figure
 * is known. */
int tree_peak_bound(const struct processes *processes, double stop, double largest_mib, double *bound_mib);

#endif
