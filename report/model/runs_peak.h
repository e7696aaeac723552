/* SPDX-License-Identifier: Apache-2.0 */
/* The combined memory peak of several runs. For a group, it is computed from the rows of all runs. For `list` and
 * for requests, it is computed only from the stored figures of each run. */
#ifndef RTRACK_REPORT_MODEL_RUNS_PEAK_H
#define RTRACK_REPORT_MODEL_RUNS_PEAK_H

#include <stddef.h>

/* Figures of one run. UNKNOWN figures are ignored; `stop` may be infinite. */
struct run_peak {
	double start, stop;
	double least_mib, peak_mib, most_mib; /* bounds and peak, as in struct peaks */
};

struct runs_peak {
	double least_mib, peak_mib, most_mib;
};

/* Combines the peaks. `ticks_mib` is the most memory that all runs had together in one tick, or NULL if no rows were
 * read.
 *   - With rows, the peak is that tick plus the largest spike of one run.
 *   - Without rows, it is unknown when each run peaked. The peak is then the largest sum of the peaks of runs that
 *     overlap.
 * That sum is an upper bound in both cases. No figure exceeds `cap_mib`, unless a single run does. */
struct runs_peak runs_peak_find(const struct run_peak *runs, size_t count, const double *ticks_mib, double cap_mib);

#endif
