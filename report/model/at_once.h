/* The most that several had together who were there at one time, each with all that he ever had.
 *
 * Who ends in the instant in which another one begins was there with him: times are rounded. */
#ifndef RTRACK_REPORT_MODEL_AT_ONCE_H
#define RTRACK_REPORT_MODEL_AT_ONCE_H

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

/* The largest that a process had. */
struct peaks {
	double own_mib;
	double before_mib; /* until its last image began; it counts where it is more */
	double unseen_mib; /* of children of it whom nobody saw, together, at any time of its life */
};

/* The most memory that the processes of a run can have had at one time, in MiB: nobody sees the sum between two ticks,
 * but the records of each process tell its peaks and when it lived. A process whose end is unknown counts as living
 * until `stop`. Returns 0; or -1 with errno when there is no memory. UNKNOWN without a process. */
int tree_peak(const struct processes *processes, double stop, const struct peaks *peaks, double *peak_mib);

#endif
