/* SPDX-License-Identifier: Apache-2.0 */
/* Computes the time of a run's rows from the times that callers pass.
 *
 * Rows contain the time of day, and ticks are at multiples of the interval. But the time of day may be set during a
 * run, and a machine may sleep. The time between two rows is therefore measured with the boot clock, which cannot be
 * set. If the time of day is set back, rows continue from the last one. */
#ifndef RTRACK_SAMPLER_CLOCK_H
#define RTRACK_SAMPLER_CLOCK_H

#include <stdint.h>

struct run_clock {
	int64_t interval_ns;
	int64_t last_ns;      /* time of the last row, since the epoch */
	int64_t last_boot_ns; /* time of the last row, since boot */
	/* How far rows are ahead of a time of day that was set back. A multiple of the interval. */
	int64_t ahead_ns;
};

/* Returns the time for a row that is written now. It is never before the previous row. `wall_ns`: time since the epoch.
 * `boot_ns`: time since boot. */
int64_t run_clock_row(struct run_clock *clock, int64_t wall_ns, int64_t boot_ns);

/* Returns the time until the next tick: more than 0, and no more than one interval. */
int64_t run_clock_wait(const struct run_clock *clock, int64_t wall_ns);

#endif
