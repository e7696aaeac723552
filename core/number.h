/* SPDX-License-Identifier: Apache-2.0 */
/* Conversion between numbers and text, independent of the locale: the decimal point is always '.'.
 *
 * An unknown figure is UNKNOWN, a quiet NaN. It is written as an empty cell, and an empty cell is read as UNKNOWN. */
#ifndef RTRACK_CORE_NUMBER_H
#define RTRACK_CORE_NUMBER_H

#include "core/base.h"

#define UNKNOWN ((double)__builtin_nanf(""))

static inline bool number_known(double value)
{
	return value == value;
}

/* -- arithmetic that ignores unknown figures -- */

/* Returns the larger known value, or UNKNOWN if both are unknown. */
static inline double known_larger(double a, double b)
{
	return number_known(a) && !(b > a) ? a : b;
}

static inline double known_first(double a, double b)
{
	return number_known(a) ? a : b;
}

/* Adds a known value to *sum. If *sum is UNKNOWN, it is set to the value. */
static inline void known_add(double *sum, double value)
{
	if (number_known(value))
		*sum = number_known(*sum) ? *sum + value : value;
}

/* -- text -- */

enum { NUMBER_LENGTH_MAX = 32 }; /* size of a buffer that can hold any number */

/* Appends `value` with exactly `digits` (0 to 9) decimals, rounded half away from zero. Appends nothing if `value` is
 * UNKNOWN or infinite, or if it has too many digits (2^63 or more after scaling). */
void number_write(struct buffer *out, double value, unsigned digits);

/* Parses the whole of `text` as -?(D+(.D*)?|.D+)([eE][+-]?D+)?. An empty text gives UNKNOWN. Returns 0, or -1 with
 * *value unchanged if `text` is not a number.
 *
 * The result is correctly rounded if there are at most 15 significant digits and the exponent is within ±22. All
 * figures of a spool meet these conditions. */
int number_read(struct text text, double *value);

/* Parses the whole of `text` as decimal digits. Returns 0, or -1 if it contains anything else or overflows. */
int number_read_unsigned(struct text text, uint64_t *value);

#endif
