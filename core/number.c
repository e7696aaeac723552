/* SPDX-License-Identifier: Apache-2.0 */
/* Converts numbers to text and back. */
#include "core/number.h"

static const double powers[] = {1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
	1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};

void number_write(struct buffer *out, double value, unsigned digits)
{
	if (!number_known(value) || digits > 9)
		return;
	bool negative = value < 0;
	double scaled = (negative ? -value : value) * powers[digits] + 0.5;
	if (!(scaled < 9223372036854775808.0))
		return;
	uint64_t units = (uint64_t)scaled;
	uint64_t one = (uint64_t)powers[digits];
	if (negative && units > 0)
		buffer_byte(out, '-');
	buffer_unsigned(out, units / one);
	if (digits > 0) {
		buffer_byte(out, '.');
		buffer_padded(out, units % one, digits);
	}
}

static bool is_digit(char byte)
{
	return byte >= '0' && byte <= '9';
}

/* Parses the exponent that begins at text[i], after the 'e', and limits it to ±1000. Returns 0, or -1 if the exponent
 * is malformed. */
static int read_exponent(struct text text, size_t i, int *exponent)
{
	bool negative = false;
	if (i < text.length && (text.data[i] == '+' || text.data[i] == '-'))
		negative = text.data[i++] == '-';
	if (i == text.length)
		return -1;
	int value = 0;
	for (; i < text.length; i++) {
		if (!is_digit(text.data[i]))
			return -1;
		if (value < 1000)
			value = value * 10 + (text.data[i] - '0');
	}
	*exponent = negative ? -value : value;
	return 0;
}

static double scale(double value, int exponent)
{
	/* If the exponent is beyond ±400, the result is 0 or infinite for every mantissa. */
	exponent = exponent > 400 ? 400 : exponent < -400 ? -400 : exponent;
	for (; exponent > 22; exponent -= 22)
		value *= powers[22];
	for (; exponent < -22; exponent += 22)
		value /= powers[22];
	return exponent < 0 ? value / powers[-exponent] : value * powers[exponent];
}

int number_read(struct text text, double *value)
{
	if (text.length == 0) {
		*value = UNKNOWN;
		return 0;
	}
	size_t i = 0;
	bool negative = text.data[0] == '-';
	if (negative)
		i++;
	size_t first = i + (i < text.length && text.data[i] == '.');
	if (first >= text.length || !is_digit(text.data[first]))
		return -1;
	uint64_t mantissa = 0;
	int exponent = 0;
	bool fraction = false;
	for (; i < text.length && text.data[i] != 'e' && text.data[i] != 'E'; i++) {
		if (text.data[i] == '.' && !fraction) {
			fraction = true;
		} else if (is_digit(text.data[i])) {
			bool kept = mantissa <
				    100000000000000000u; /* at most 18 digits, so that the mantissa stays below 2^64 */
			if (kept)
				mantissa = mantissa * 10 + (uint64_t)(text.data[i] - '0');
			if (exponent > -1000 && exponent < 1000)
				exponent += (fraction ? -1 : 0) + (kept ? 0 : 1);
		} else {
			return -1;
		}
	}
	int written = 0;
	if (i < text.length && read_exponent(text, i + 1, &written) != 0)
		return -1;
	double magnitude = mantissa == 0 ? 0 : scale((double)mantissa, exponent + written);
	*value = negative ? -magnitude : magnitude;
	return 0;
}

int number_read_unsigned(struct text text, uint64_t *value)
{
	if (text.length == 0)
		return -1;
	uint64_t result = 0;
	for (size_t i = 0; i < text.length; i++) {
		if (!is_digit(text.data[i]))
			return -1;
		if (__builtin_mul_overflow(result, 10u, &result) ||
			__builtin_add_overflow(result, (uint64_t)(text.data[i] - '0'), &result))
			return -1;
	}
	*value = result;
	return 0;
}
