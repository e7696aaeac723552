/* The most that several had together; see at_once.h. */
#include "report/model/at_once.h"

#include "core/number.h"

#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

enum { TICKS_PER_SECOND = 100 };

struct at_once_change {
	double time;
	double value;
	bool end;
};

static int by_change_time(const void *a, const void *b)
{
	const struct at_once_change *x = a, *y = b;
	if (x->time != y->time)
		return x->time < y->time ? -1 : 1;
	return x->end - y->end;
}

int at_once_begin(struct at_once *all, size_t most)
{
	*all = (struct at_once){.changes = malloc((2 * most + 1) * sizeof *all->changes)};
	if (all->changes)
		return 0;
	errno = ENOMEM;
	return -1;
}

void at_once_add(struct at_once *all, double start, double stop, double value)
{
	if (!number_known(value))
		return;
	all->changes[all->count++] = (struct at_once_change){start, value, false};
	all->changes[all->count++] = (struct at_once_change){fmax(start, stop), value, true};
}

double at_once_end(struct at_once *all)
{
	double sum = 0, largest = all->count > 0 ? 0 : UNKNOWN;
	size_t there = 0;

	qsort(all->changes, all->count, sizeof *all->changes, by_change_time);
	for (size_t i = 0; i < all->count; i++) {
		const struct at_once_change *change = &all->changes[i];
		sum += change->end ? -change->value : change->value;
		there += change->end ? (size_t)-1 : 1;
		if (there == 0) /* what rounding left of those who are gone is nothing that the next one has */
			sum = 0;
		largest = fmax(largest, sum);
	}
	free(all->changes);
	*all = (struct at_once){0};
	return largest;
}

/* -- processes ------------------------------------------------------------------------------------- */

/* The time of the boot, so that the start of a process that others wrote down, later, is known from its ticks. */
static double boot_time(const struct processes *processes)
{
	double boot = INFINITY;

	for (size_t i = 0; i < processes->count; i++)
		boot = fmin(
			boot, processes->items[i].start_time - (double)processes->items[i].id.start / TICKS_PER_SECOND);
	return boot;
}

int tree_peak(const struct processes *processes, double stop, const struct peaks *peaks, double *peak_mib)
{
	struct at_once all;
	double boot = boot_time(processes);

	if (at_once_begin(&all, 2 * processes->count) != 0)
		return -1;
	for (size_t i = 0; i < processes->count; i++) {
		const struct process *process = &processes->items[i];
		double start = fmin(process->start_time, boot + (double)process->id.start / TICKS_PER_SECOND);
		double end = known_first(process->end_time, known_larger(stop, process->start_time));
		/* Infinities do not go away when they are subtracted. */
		double peak = fmin(peaks[i].own_mib + peaks[i].unseen_mib, NOTHING_BOUNDS);
		at_once_add(&all, start, fmax(end, process->start_time), peak);
		if (peaks[i].before_mib > peak)
			at_once_add(&all, start, process->found_time, peaks[i].before_mib - peak);
	}
	*peak_mib = at_once_end(&all);
	return 0;
}
