/* Arithmetic on figures of which some may be UNKNOWN: what is not known takes no part. */
#ifndef RTRACK_CORE_KNOWN_H
#define RTRACK_CORE_KNOWN_H

#include "core/number.h"

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

#endif
