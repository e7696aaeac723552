/* The most memory that the processes of a run can have had at one time.
 *
 * Between two ticks nobody sees the sum. But each process says how much it had at its peak, and when it lived: the
 * largest sum of such peaks over processes that lived at one time is more than the tree ever had. */
#ifndef RTRACK_REPORT_FIGURES_TREE_PEAK_H
#define RTRACK_REPORT_FIGURES_TREE_PEAK_H

#include "report/spool/processes.h"

/* In MiB. A process whose end is unknown lived until `stop`, one whose peak is unknown had `largest_mib`. Returns 0; or
 * -1 with errno when there is no memory. UNKNOWN without a process, or when no such figure is known. */
int tree_peak_bound(const struct processes *processes, double stop, double largest_mib, double *bound_mib);

#endif
