/* SPDX-License-Identifier: Apache-2.0 */
/* Tests of report/model/at_once.h: the largest sum of values that existed at one time. */
#include "report/model/at_once.h"

#include "core/number.h"
#include "tests/unit/lib/tap.h"

enum { STAYS_MAX = 4 };

static const struct at_once_case {
	const char *what;
	size_t count;
	struct {
		double start, stop, value;
	} stays[STAYS_MAX];
	double largest;
} cases[] = {
	{"none", 0, {{0, 0, 0}}, UNKNOWN},
	{"one after another: the largest", 3, {{0, 1, 100}, {2, 3, 300}, {4, 5, 200}}, 300},
	{"overlapping: the sum, in any order", 3, {{4, 9, 200}, {0, 5, 100}, {3, 6, 300}}, 600},
	{"one that overlaps several short ones", 4, {{0, 9, 50}, {1, 2, 100}, {3, 4, 300}, {5, 6, 200}}, 350},
	{"an amount that ends as another begins overlaps the other", 2, {{0, 1, 100}, {1, 2, 300}}, 400},
	{"one that lives for an instant", 2, {{1, 1, 100}, {0, 2, 300}}, 400},
	{"an end before the start is at the start", 2, {{5, UNKNOWN, 100}, {6, 7, 300}}, 300},
	{"no end", 2, {{0, INFINITY, 100}, {6, 7, 300}}, 400},
	{"unknown amounts are left out", 2, {{0, 9, UNKNOWN}, {6, 7, 300}}, 300},
	{"rounding errors of ended ones are not added to the next one", 3, {{0, 2, 0.1}, {1, 2, 0.2}, {3, 4, 0.3}},
		0.1 + 0.2},
};

int main(void)
{
	for (size_t i = 0; i < ARRAY_LENGTH(cases); i++) {
		struct at_once all = {0};
		for (size_t stay = 0; stay < cases[i].count; stay++)
			at_once_add(&all, cases[i].stays[stay].start, cases[i].stays[stay].stop,
				cases[i].stays[stay].value);
		is_number(at_once_end(&all), cases[i].largest, cases[i].what);
	}
	return done();
}
