/* The most memory that the processes of a run can have had at one time.
 *
 * Nobody sees the sum between two ticks. But the records of each process tell its peak and when it lived: the largest
 * sum of peaks over processes that lived at the same time is an upper bound of the tree's memory. */
#ifndef RTRACK_REPORT_FIGURES_TREE_PEAK_H
#define RTRACK_REPORT_FIGURES_TREE_PEAK_H

#include "report/spool/processes.h"

#define NOTHING_BOUNDS 1e15 /* MiB: at least as much, where some peak is infinite */

/* The bound in MiB. `peak_mib`: of each process, at most. A process whose end is unknown counts as living until `stop`.
 * Returns 0; or -1 with errno when there is no memory. UNKNOWN without a process. */
int tree_peak_bound(const struct processes *processes, double stop, const double *peak_mib, double *bound_mib);

#endif
