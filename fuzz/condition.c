/* SPDX-License-Identifier: Apache-2.0 */
/* Parses any bytes as conditions. An accepted condition must have the name of a figure, and must not fail when it is
 * evaluated. */
#include "report/compare/condition.h"

#include "core/number.h"
#include "fuzz/fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const double figures[] = {0, 1, -1, 1e300, UNKNOWN};
	char *copy = fuzz_copy(data, size, false);
	struct conditions conditions = {.count = 0};

	const char *wrong = conditions_read(&conditions, (struct text){copy, size});
	REQUIRE(conditions.count <= CONDITIONS_MAX);
	REQUIRE(wrong || conditions.count > 0);
	for (size_t i = 0; i < conditions.count; i++) {
		const struct condition *condition = &conditions.items[i];
		REQUIRE(condition->measure < MEASURE_COUNT && number_known(condition->amount));
		REQUIRE(condition->text.data >= copy && condition->text.length <= size);
		for (size_t a = 0; a < ARRAY_LENGTH(figures); a++)
			for (size_t b = 0; b < ARRAY_LENGTH(figures); b++)
				REQUIRE(condition_holds(condition, figures[a], figures[b]) <= 1);
	}
	free(copy);
	return 0;
}
