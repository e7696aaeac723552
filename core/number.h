/* Numbers to text and back, independent of the locale: the decimal point is always '.'.
 *
 * A figure that is not known is UNKNOWN, a quiet NaN. It is written as an empty cell, and an empty cell is read as
 * UNKNOWN. */
#ifndef RTRACK_CORE_NUMBER_H
#define RTRACK_CORE_NUMBER_H

#include "core/base.h"

#define UNKNOWN ((double)__builtin_nanf(""))

static inline bool number_known(double value)
{
	return value == value;
}

/* -- arithmetic that leaves unknown figures out -- */

/* The larger of the known ones; UNKNOWN when neither is. */
static inline double known_larger(double a, double b)
{
	return number_known(a) && !(b > a) ? a : b;
}

static inline double known_first(double a, double b)
{
	return number_known(a) ? a : b;
}

/* An UNKNOWN sum becomes the first known value. */
static inline void known_add(double *sum, double value)
{
	if (number_known(value))
		*sum = number_known(*sum) ? *sum + value : value;
}

/* -- text -- */

enum { NUMBER_LENGTH_MAX = 32 }; /* bytes that suffice for any one number */

/* Appends `value` with exactly `digits` (0 … 9) decimals, rounded half away from zero.
 * UNKNOWN, infinities and magnitudes of 2^63 or more after scaling append nothing. */
void number_write(struct buffer *out, double value, unsigned digits);

/* Reads -?(D+(.D*)?|.D+)([eE][+-]?D+)? over the whole of `text`. Correctly rounded up to 15 significant digits and
 * exponents within ±22, as all figures of a spool are. An empty text is UNKNOWN. Returns 0, or -1
 * with *value untouched when `text` is no number. */
int number_read(struct text text, double *value);

/* Reads D+ over the whole of `text`; -1 on anything else and on overflow. */
int number_read_unsigned(struct text text, uint64_t *value);

#endif
