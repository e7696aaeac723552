/* SPDX-License-Identifier: Apache-2.0 */
/* The peak of the memory of several runs together, by the rules of one run (peaks.h): a group's, of its rows; and that
 * of a line of `list` or of a request, of what is kept of each run, without rows. */
#ifndef RTRACK_REPORT_MODEL_RUNS_PEAK_H
#define RTRACK_REPORT_MODEL_RUNS_PEAK_H

#include <stddef.h>

/* One of the runs. UNKNOWN figures are left out; `stop` may be infinite. */
struct run_peak {
	double start, stop;
	double least_mib, peak_mib, most_mib; /* as in struct peaks */
};

struct runs_peak {
	double least_mib, peak_mib, most_mib;
};

/* With rows the peak is the largest tick of all runs together, and the largest spike of one run once. `ticks_mib`: that
 * tick; NULL: no rows were read. Then it is the largest sum of the peaks of runs that were there at one time, as when
 * each run had its peak is unknown. With rows it is never above that sum: of runs that were not there at one time both
 * are the largest run's. No figure is above `cap_mib`, unless one run had more. */
struct runs_peak runs_peak_find(const struct run_peak *runs, size_t count, const double *ticks_mib, double cap_mib);

#endif
