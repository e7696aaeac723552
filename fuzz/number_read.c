/* SPDX-License-Identifier: Apache-2.0 */
/* Parses any text with number_read. It must not read beyond the text, and must agree with strtod. It must also read
 * back what number_write has written. */
#include "core/number.h"
#include "fuzz/fuzz.h"

#include <math.h>

static void require_round_trip(double value)
{
	for (unsigned digits = 0; digits <= 9; digits++) {
		char space[NUMBER_LENGTH_MAX];
		struct buffer out = BUFFER(space);
		double again = -1;
		number_write(&out, value, digits);
		REQUIRE(!out.full);
		REQUIRE(number_read((struct text){space, out.length}, &again) == 0);
		/* The tolerance is half a unit of the last digit, plus the precision of a double. */
		if (out.length > 0)
			REQUIRE(fabs(again - value) <=
				0.5 * pow(10, -(double)digits) * (1 + 1e-6) + fabs(value) * 1e-14);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *copy = fuzz_copy(data, size, false);
	char *terminated = fuzz_copy(data, size, true);
	struct text text = {copy, size};
	double value = 42;
	uint64_t whole = 42;

	if (number_read(text, &value) != 0) {
		REQUIRE(value == 42);
	} else if (size > 0) {
		char *end;
		double expected = strtod(terminated, &end);
		REQUIRE(end == terminated + size);
		if (isfinite(expected) && fabs(expected) > 1e-290 && fabs(expected) < 1e290)
			REQUIRE(fabs(value - expected) <= 1e-14 * fabs(expected));
		require_round_trip(value);
	}
	if (number_read_unsigned(text, &whole) == 0)
		REQUIRE(whole == strtoull(terminated, NULL, 10));
	free(copy);
	free(terminated);
	return 0;
}
