/* The time of a run's rows.
 *
 * Rows carry the time of day, and a tick is a multiple of the interval of it. The time of day may be set while a run
 * lasts, forward and back, and a machine may sleep. So what passed between two rows is taken from the clock since
 * boot, which nobody can set; and rows go on where they were when the time of day is set back. Nothing here looks at a
 * clock: callers say what theirs show. */
#ifndef RTRACK_SAMPLER_CLOCK_H
#define RTRACK_SAMPLER_CLOCK_H

#include <stdint.h>

struct run_clock {
	int64_t interval_ns;
	int64_t last_ns;      /* time of the last row, since the epoch */
	int64_t last_boot_ns; /* the same since boot */
	int64_t ahead_ns; /* by how much rows are ahead of a time of day that was set back; a multiple of the interval
			   */
};

/* The time of a row that is written now: never before that of the row before. `wall_ns` since the epoch, `boot_ns`
 * since boot. */
int64_t run_clock_row(struct run_clock *clock, int64_t wall_ns, int64_t boot_ns);

/* How long to wait for the next tick: more than nothing, and at most an interval. */
int64_t run_clock_wait(const struct run_clock *clock, int64_t wall_ns);

#endif
