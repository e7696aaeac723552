/* SPDX-License-Identifier: Apache-2.0 */
/* Energy by a counter that is read now and then, and by power in between. */
#include "gpu/poll.h"

#include "tests/unit/lib/tap.h"

#define SECOND INT64_C(1000000000)

/* Polls once a second from `*at` on at so many watts, with a counter that goes by `watts_counted`, from `joules` on:
 * the sum of what is told in Wh. */
static double run(
	struct gpu_energy *energy, int seconds, double watts, double watts_counted, double *joules, int64_t *at)
{
	double sum = 0;

	for (int i = 0; i < seconds; i++) {
		*at += SECOND;
		*joules += watts_counted;
		bool due = gpu_energy_is_due(energy, watts, *at);
		double wh = gpu_energy_grown(energy, due ? *joules : UNKNOWN, watts, *at);
		known_add(&sum, wh);
	}
	return sum;
}

int main(void)
{
	static const struct {
		const char *what;
		double watts, counted;
		int seconds;
		double expected_joules;
	} cases[] = {
		{"the counter and the power agree", 100, 100, 60, 6000},
		{"the power is too low: the counter is right each five seconds", 80, 100, 60, 6000},
		{"the power is too high", 120, 100, 60, 6000},
		{"the power is much too high: what was told too much is kept for the next reading", 800, 100, 5, 3200},
		{"without a power the counter is read each time", UNKNOWN, 100, 7, 700},
		{"between two readings it is the power", 80, 100, 4, 320},
	};
	double joules = 5e6;
	int64_t at = 1000 * SECOND;

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct gpu_energy energy = {.joules = UNKNOWN};
		is_number(run(&energy, 1, cases[i].watts, 0, &joules, &at), 0, "the first poll tells nothing");
		is_number(run(&energy, cases[i].seconds, cases[i].watts, cases[i].counted, &joules, &at) * 3600,
			cases[i].expected_joules, cases[i].what);
	}

	struct gpu_energy energy = {.joules = UNKNOWN};
	(void)run(&energy, 1, 100, 0, &joules, &at);
	joules -= 1e6;
	is_number(run(&energy, 10, 100, 100, &joules, &at) * 3600, 1000,
		"a counter that was set back: the power, then it");
	joules += 1e9;
	is_number(run(&energy, 5, 100, 100, &joules, &at) * 3600, 500, "one that leaps: the power");
	double before = run(&energy, 4, 800, 100, &joules, &at) * 3600;
	is_number(before + run(&energy, 56, 100, 100, &joules, &at) * 3600, 6000,
		"what was told too much is not told again");
	return done();
}
