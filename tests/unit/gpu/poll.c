/* SPDX-License-Identifier: Apache-2.0 */
/* Tests of energy: from a counter that is read at intervals, and from the power between two readings. */
#include "gpu/poll.h"

#include "tests/unit/lib/tap.h"

#define SECOND INT64_C(1000000000)

/* Polls once a second from `*at` on. The power is `watts`. The counter starts at `joules` and grows by `watts_counted`.
 * Returns the reported energy in Wh. */
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
		{"the power is too low: the counter corrects it every five seconds", 80, 100, 60, 6000},
		{"the power is too high", 120, 100, 60, 6000},
		{"the power is much too high: the excess is subtracted after the next reading", 800, 100, 5, 3200},
		{"without power the counter is read each time", UNKNOWN, 100, 7, 700},
		{"between two readings, energy comes from the power", 80, 100, 4, 320},
	};
	double joules = 5e6;
	int64_t at = 1000 * SECOND;

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct gpu_energy energy = {.joules = UNKNOWN};
		is_number(run(&energy, 1, cases[i].watts, 0, &joules, &at), 0, "the first poll reports nothing");
		is_number(run(&energy, cases[i].seconds, cases[i].watts, cases[i].counted, &joules, &at) * 3600,
			cases[i].expected_joules, cases[i].what);
	}

	struct gpu_energy energy = {.joules = UNKNOWN};
	(void)run(&energy, 1, 100, 0, &joules, &at);
	joules -= 1e6;
	is_number(run(&energy, 10, 100, 100, &joules, &at) * 3600, 1000,
		"after a counter was reset, the power counts, then the counter");
	joules += 1e9;
	is_number(run(&energy, 5, 100, 100, &joules, &at) * 3600, 500,
		"a counter that jumps is ignored in favour of the power");
	double before = run(&energy, 4, 800, 100, &joules, &at) * 3600;
	is_number(before + run(&energy, 56, 100, 100, &joules, &at) * 3600, 6000,
		"energy that was reported too early is not reported again");
	return done();
}
