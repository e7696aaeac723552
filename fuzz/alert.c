/* SPDX-License-Identifier: Apache-2.0 */
/* Parses any bytes as a condition of `watch --when`. An accepted condition must have a figure and a bound, and must not
 * fail when it is evaluated. */
#include "report/compare/alert.h"

#include "core/number.h"
#include "fuzz/fuzz.h"

#include <math.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *copy = fuzz_copy(data, size, false);
	struct alert alert;

	const char *wrong = alert_read(&alert, (struct text){copy, size});
	if (!wrong && alert.kind == ALERT_COMPARES) {
		REQUIRE(alert.figure >= 0 && alert.figure < ALERT_FIGURES && alert.name < ALERT_NAMES);
		REQUIRE(isfinite(alert.factor));
		REQUIRE(!number_known(alert.for_seconds) || !number_known(alert.within_seconds));
	}
	REQUIRE(alert.text.data == copy && alert.text.length == size);
	free(copy);
	return 0;
}
