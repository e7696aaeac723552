/* SPDX-License-Identifier: Apache-2.0 */
/* Computes the time of a run's rows. */
#include "sampler/clock.h"

int64_t run_clock_row(struct run_clock *clock, int64_t wall_ns, int64_t boot_ns)
{
	int64_t expected_ns = clock->last_ns + (boot_ns - clock->last_boot_ns);
	int64_t row_ns = wall_ns + clock->ahead_ns;

	/* When the time of day has caught up with the rows, it is used again. Until then, rows continue from the last
	 * one. */
	if (wall_ns >= clock->last_ns)
		clock->ahead_ns = 0;
	else if (row_ns < clock->last_ns || row_ns > expected_ns + clock->interval_ns)
		clock->ahead_ns = (expected_ns - wall_ns + clock->interval_ns - 1) / clock->interval_ns *
				  clock->interval_ns; /* rounded up to whole intervals */
	clock->last_ns = wall_ns + clock->ahead_ns;
	clock->last_boot_ns = boot_ns;
	return clock->last_ns;
}

int64_t run_clock_wait(const struct run_clock *clock, int64_t wall_ns)
{
	int64_t past_ns = wall_ns % clock->interval_ns;
	return clock->interval_ns - (past_ns < 0 ? past_ns + clock->interval_ns : past_ns);
}
