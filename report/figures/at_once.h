/* The most that several had together who were there at one time, each with all that he ever had.
 *
 * Who ends in the instant in which another one begins was there with him: times are rounded. */
#ifndef RTRACK_REPORT_FIGURES_AT_ONCE_H
#define RTRACK_REPORT_FIGURES_AT_ONCE_H

#include "report/spool/processes.h"

struct at_once_change;
struct at_once {
	struct at_once_change *changes; /* owned until at_once_end */
	size_t count;
};

/* Makes room for `most`. Returns 0, or -1 with errno when there is no memory. */
int at_once_begin(struct at_once *all, size_t most);
/* One who was there from `start` to `stop`, either of which may be infinite. UNKNOWN values are left out. */
void at_once_add(struct at_once *all, double start, double stop, double value);
/* The largest sum; UNKNOWN where nobody was added. */
double at_once_end(struct at_once *all);

#define NOTHING_BOUNDS 1e15 /* MiB: at least as much, where some peak is infinite, or unknown */

/* The most memory that the processes of a run can have had at one time: nobody sees the sum between two ticks, but the
 * records of each process tell its peak and when it lived. In MiB; `peak_mib`: of each process, at most; `before_mib`:
 * of each, until its last image began, if that is more. A process whose end is
 * unknown counts as living until `stop`. Returns 0; or -1 with errno when there is no memory. UNKNOWN without a
 * process. */
int tree_peak_bound(const struct processes *processes, double stop, const double *peak_mib, const double *before_mib,
	double *bound_mib);

#endif
