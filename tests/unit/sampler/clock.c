/* SPDX-License-Identifier: Apache-2.0 */
/* Tests of the times of rows when clocks are set, stand still or sleep. Each case lists what the clocks show at each
 * tick, the expected time of the row, and the wait until the next tick. All are in seconds. The interval is 1 s. */
#include "sampler/clock.h"
#include "core/base.h"
#include "tests/unit/lib/tap.h"

#define NS 1000000000

enum { TICKS_MAX = 6 };

struct tick {
	double wall; /* since the epoch; 0 ends the list */
	double boot;
	double row;
	double wait; /* until the next tick */
};

static const struct {
	const char *what;
	struct tick ticks[TICKS_MAX];
} scenarios[] = {
	{"nothing happens", {{101, 11, 101, 1}, {102, 12, 102, 1}, {103, 13, 103, 1}}},
	{"a late tick is one longer row", {{101, 11, 101, 1}, {104.25, 14.25, 104.25, 0.75}, {105, 15, 105, 1}}},
	{"the clock is set forward by an hour", {{101, 11, 101, 1}, {3702, 12, 3702, 1}, {3703, 13, 3703, 1}}},
	{"the clock is set back by ten seconds: row times go on",
		{{110, 20, 110, 1}, {101, 21, 111, 1}, {102, 22, 112, 1}, {103, 23, 113, 1}}},
	{"the clock is set back and forward again: row times return to it",
		{{110, 20, 110, 1}, {101, 21, 111, 1}, {112, 22, 112, 1}, {113, 23, 113, 1}}},
	{"the clock is set back by a fraction: ticks stay multiples of the interval",
		{{110, 20, 110, 1}, {109.5, 20.75, 111.5, 0.5}, {110, 21.25, 110 + 2, 1}, {111, 22.25, 113, 1}}},
	{"the clock is set back within an interval: the next row is still later",
		{{110, 20, 110, 1}, {110, 20.5, 110, 1}, {111, 21.5, 111, 1}}},
	{"the clock is set back twice: row times go on",
		{{110, 20, 110, 1}, {101, 21, 111, 1}, {51, 22, 112, 1}, {52, 23, 113, 1}}},
	{"the clock is set back, and half of that forward: row times do not jump",
		{{110, 20, 110, 1}, {101, 21, 111, 1}, {107, 22, 112, 1}, {108, 23, 113, 1}}},
	{"the clock is set back to before the epoch",
		{{110, 20, 110, 1}, {-5.25, 21, 111.75, 0.25}, {-4, 22.25, 113, 1}}},
	{"the clock stands still", {{110, 20, 110, 1}, {110, 21, 110, 1}, {110, 22, 110, 1}}},
	{"the machine sleeps for an hour", {{101, 11, 101, 1}, {3701.5, 3611.5, 3701.5, 0.5}, {3702, 3612, 3702, 1}}},
};

static int64_t ns(double seconds)
{
	return (int64_t)(seconds * NS);
}

static void check_scenario(const char *what, const struct tick *ticks)
{
	struct run_clock clock = {.interval_ns = NS, .last_ns = ns(100), .last_boot_ns = ns(10)};
	int64_t before_ns = clock.last_ns;
	char text[200];

	for (int i = 0; i < TICKS_MAX && ticks[i].boot > 0; i++) {
		int64_t row_ns = run_clock_row(&clock, ns(ticks[i].wall), ns(ticks[i].boot));
		(void)snprintf(text, sizeof text, "%s, row %d", what, i + 1);
		is_number((double)row_ns / NS, ticks[i].row, text);
		ok(row_ns >= before_ns, "a row is not before the previous row");
		is_number((double)run_clock_wait(&clock, ns(ticks[i].wall)) / NS, ticks[i].wait,
			"the wait for the next tick");
		before_ns = row_ns;
	}
}

/* If a clock jumps at every tick, rows stay in order and waits stay within the interval, for any interval. */
static void check_jumps(int64_t interval_ns)
{
	struct run_clock clock = {.interval_ns = interval_ns, .last_ns = ns(1e9), .last_boot_ns = ns(10)};
	uint64_t random = 88172645463325252;
	int64_t boot_ns = ns(10), before_ns = clock.last_ns;
	int disordered = 0, long_waits = 0;

	for (int i = 0; i < 100000; i++) {
		random ^= random << 13;
		random ^= random >> 7;
		random ^= random << 17;
		int64_t wall_ns = (int64_t)(random % (uint64_t)ns(2e9));
		boot_ns += (int64_t)(random % 3000000000u);
		int64_t row_ns = run_clock_row(&clock, wall_ns, boot_ns);
		int64_t wait_ns = run_clock_wait(&clock, wall_ns);
		disordered += row_ns < before_ns;
		long_waits += wait_ns <= 0 || wait_ns > interval_ns;
		before_ns = row_ns;
	}
	is_number(disordered, 0, "rows stay in order while the clock jumps at every tick");
	is_number(long_waits, 0, "no wait is longer than an interval");
}

int main(void)
{
	for (size_t i = 0; i < ARRAY_LENGTH(scenarios); i++)
		check_scenario(scenarios[i].what, scenarios[i].ticks);
	check_jumps(1000000);
	check_jumps(NS);
	check_jumps((int64_t)3600 * NS);
	return done();
}
