/* The largest sum of the peaks of processes that lived at one time; see tree_peak.h. */
#include "report/figures/tree_peak.h"

#include "core/number.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

enum { TICKS_PER_SECOND = 100 };

struct change {
	double time;
	double mib; /* negative at an end */
};

/* Of the same instant, starts go before ends: a process may have ended just after it. */
static int by_change_time(const void *a, const void *b)
{
	const struct change *x = a;
	const struct change *y = b;
	if (x->time != y->time)
		return x->time < y->time ? -1 : 1;
	return (x->mib < 0) - (y->mib < 0);
}

static double largest_sum(const struct change *changes, size_t count)
{
	double sum = 0;
	double largest = 0;

	for (size_t i = 0; i < count; i++) {
		sum += changes[i].mib;
		largest = fmax(largest, sum);
	}
	return largest;
}

/* The time of the boot, so that the start of a process that others wrote down, later, is known from its ticks. */
static double boot_time(const struct processes *processes)
{
	double boot = INFINITY;

	for (size_t i = 0; i < processes->count; i++)
		boot = fmin(
			boot, processes->items[i].start_time - (double)processes->items[i].id.start / TICKS_PER_SECOND);
	return boot;
}

int tree_peak_bound(const struct processes *processes, double stop, const double *peak_mib, double *bound_mib)
{
	struct change *changes = malloc((2 * processes->count + 1) * sizeof *changes);
	double boot = boot_time(processes);
	size_t count = 0;

	if (!changes) {
		errno = ENOMEM;
		return -1;
	}
	for (size_t i = 0; i < processes->count; i++) {
		const struct process *process = &processes->items[i];
		/* Infinities do not go away when they are subtracted. */
		double peak = fmin(peak_mib[i], NOTHING_BOUNDS);
		double start = fmin(process->start_time, boot + (double)process->id.start / TICKS_PER_SECOND);
		double end = known_first(process->end_time, known_larger(stop, process->start_time));
		if (!number_known(peak))
			continue;
		changes[count++] = (struct change){start, peak};
		changes[count++] = (struct change){fmax(end, process->start_time), -peak};
	}
	qsort(changes, count, sizeof *changes, by_change_time);
	*bound_mib = count > 0 ? largest_sum(changes, count) : UNKNOWN;
	free(changes);
	return 0;
}
