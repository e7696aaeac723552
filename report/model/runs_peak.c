/* The peak of several runs together; see runs_peak.h. */
#include "report/model/runs_peak.h"

#include "core/number.h"
#include "report/model/at_once.h"

#include <stdbool.h>

static double at_most(double value, double bound)
{
	return value > bound ? bound : value;
}

/* The largest sum of the peaks of runs that were there at one time, or of the upper bounds of these. */
static int find_sum(double *sum, const struct run_peak *runs, size_t count, bool of_bounds)
{
	struct at_once all;

	if (at_once_begin(&all, count) != 0)
		return -1;
	for (size_t i = 0; i < count; i++)
		at_once_add(&all, runs[i].start, runs[i].stop, of_bounds ? runs[i].most_mib : runs[i].peak_mib);
	*sum = at_once_end(&all);
	return 0;
}

int runs_peak_find(
	struct runs_peak *all, const struct run_peak *runs, size_t count, const double *ticks_mib, double cap_mib)
{
	double largest = UNKNOWN, spike = 0, peak, most;

	*all = (struct runs_peak){UNKNOWN, UNKNOWN, UNKNOWN};
	if (find_sum(&peak, runs, count, false) != 0 || find_sum(&most, runs, count, true) != 0)
		return -1;
	for (size_t i = 0; i < count; i++) {
		all->least_mib = known_larger(all->least_mib, runs[i].least_mib);
		largest = known_larger(largest, runs[i].peak_mib);
		spike = known_larger(runs[i].peak_mib - runs[i].least_mib, spike);
	}
	if (ticks_mib) {
		all->least_mib = known_larger(all->least_mib, *ticks_mib);
		peak = at_most(known_larger(largest, all->least_mib + spike), peak);
	}
	/* Runs of one tick need not have been there at one time: what is above the bound no moment had. */
	if (number_known(most))
		most = all->most_mib = known_larger(at_most(most, cap_mib), largest);
	else
		most = known_larger(cap_mib, number_known(cap_mib) ? largest : UNKNOWN);
	all->peak_mib = at_most(peak, most);
	all->least_mib = at_most(at_most(all->least_mib, most), all->peak_mib);
	return 0;
}
