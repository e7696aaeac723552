/* The time of a run's rows.
 *
 * Rows carry the time of day, and ticks are at its multiples of the interval. But the time of day may be set while a
 * run lasts, forward and back, and a machine may sleep. Therefore the time that passed between two rows is taken from
 * the clock since boot, which cannot be set, and when the time of day is set back, rows go on from the last one.
 * Nothing here reads a clock: callers pass what theirs show. */
#ifndef RTRACK_SAMPLER_CLOCK_H
#define RTRACK_SAMPLER_CLOCK_H

#include <stdint.h>

struct run_clock {
	int64_t interval_ns;
	int64_t last_ns;      /* time of the last row, since the epoch */
	int64_t last_boot_ns; /* the same since boot */
	int64_t ahead_ns;     /* rows are ahead by this of a time of day that was set back; whole intervals */
};

/* The time of a row that is written now; never before that of the previous row. `wall_ns` since the epoch, `boot_ns`
 * since boot. */
int64_t run_clock_row(struct run_clock *clock, int64_t wall_ns, int64_t boot_ns);

/* How long to wait for the next tick: more than nothing, and at most an interval. */
int64_t run_clock_wait(const struct run_clock *clock, int64_t wall_ns);

#endif
