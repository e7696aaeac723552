/* SPDX-License-Identifier: Apache-2.0 */
/* Combines the memory peaks of several runs. */
#include "report/model/runs_peak.h"

#include "core/number.h"
#include "report/model/at_once.h"

#include <stdbool.h>

static double at_most(double value, double bound)
{
	return value > bound ? bound : value;
}

/* Returns the largest sum of the peaks of runs that overlap, or of their upper bounds if `of_bounds` is true. */
static double find_sum(const struct run_peak *runs, size_t count, bool of_bounds)
{
	struct at_once all = {0};

	for (size_t i = 0; i < count; i++)
		at_once_add(&all, runs[i].start, runs[i].stop, of_bounds ? runs[i].most_mib : runs[i].peak_mib);
	return at_once_end(&all);
}

struct runs_peak runs_peak_find(const struct run_peak *runs, size_t count, const double *ticks_mib, double cap_mib)
{
	struct runs_peak all = {UNKNOWN, UNKNOWN, UNKNOWN};
	double peak = find_sum(runs, count, false), most = find_sum(runs, count, true);
	double largest = UNKNOWN, spike = 0;

	for (size_t i = 0; i < count; i++) {
		all.least_mib = known_larger(all.least_mib, runs[i].least_mib);
		largest = known_larger(largest, runs[i].peak_mib);
		spike = known_larger(runs[i].peak_mib - runs[i].least_mib, spike);
	}
	if (ticks_mib) {
		all.least_mib = known_larger(all.least_mib, *ticks_mib);
		peak = at_most(known_larger(largest, all.least_mib + spike), peak);
	}
	/* Runs that share a tick do not always overlap, so their sum may be too large. The peak is therefore limited
	 * to the upper bound. */
	if (number_known(most))
		most = all.most_mib = known_larger(at_most(most, cap_mib), largest);
	else
		most = known_larger(cap_mib, number_known(cap_mib) ? largest : UNKNOWN);
	all.peak_mib = at_most(peak, most);
	all.least_mib = at_most(at_most(all.least_mib, most), all.peak_mib);
	return all;
}
