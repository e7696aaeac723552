/* SPDX-License-Identifier: Apache-2.0 */
/* Functions for unit tests that print TAP: a line for each check, the actual value if a check fails, and the plan at
 * the end. A test is a program whose main() calls the checks below and ends with `return done();`. It includes only the
 * module under test, so a failure points to one file. */
#ifndef RTRACK_TESTS_TAP_H
#define RTRACK_TESTS_TAP_H

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

static int tap_count;
static int tap_failed;

__attribute__((unused)) static bool ok(bool passed, const char *what)
{
	tap_failed += !passed;
	printf("%sok %d - %s\n", passed ? "" : "not ", ++tap_count, what);
	return passed;
}

/* Checks that two strings are equal. NULL equals only NULL. */
__attribute__((unused)) static bool is_text(const char *seen, const char *expected, const char *what)
{
	bool same = seen && expected ? strcmp(seen, expected) == 0 : seen == expected;
	if (!ok(same, what))
		printf("# expected: %s\n#     seen: %s\n", expected ? expected : "(null)", seen ? seen : "(null)");
	return same;
}

/* Checks that two numbers are equal to 12 digits. An unknown number (NaN) equals another unknown number. */
__attribute__((unused)) static bool is_number(double seen, double expected, const char *what)
{
	bool same = isnan(expected) ? isnan(seen) : seen == expected || fabs(seen - expected) <= 1e-12 * fabs(expected);
	if (!ok(same, what))
		printf("# expected: %.17g\n#     seen: %.17g\n", expected, seen);
	return same;
}

/* Prints the plan, and returns the exit status of the test. */
__attribute__((unused)) static int done(void)
{
	printf("1..%d\n", tap_count);
	return tap_failed > 0;
}

#endif
