/* SPDX-License-Identifier: Apache-2.0 */
/* Computes the median of values, some of which may be UNKNOWN. */
#include "report/model/median.h"

#include "core/number.h"
#include "report/say/array.h"

static int by_value(const void *a, const void *b)
{
	double x = *(const double *)a;
	double y = *(const double *)b;
	return ORDER(x, y);
}

void median_sort(double *values, size_t count)
{
	array_sort(values, count, by_value);
}

double median_known(double *values, size_t count)
{
	size_t known = 0;
	for (size_t i = 0; i < count; i++)
		if (number_known(values[i]))
			values[known++] = values[i];
	if (known == 0)
		return UNKNOWN;
	median_sort(values, known);
	return (values[(known - 1) / 2] + values[known / 2]) / 2;
}
