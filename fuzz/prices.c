/* SPDX-License-Identifier: Apache-2.0 */
/* Parses any bytes as a list of prices. Every accepted price must be a valid amount. */
#include "fuzz/fuzz.h"
#include "report/advice/prices.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *copy = fuzz_copy(data, size, false);
	char currency[8] = "none";
	double price = -1;
	int status = prices_read(copy, size, "eu-west-1", &price, currency);

	if (status == 0) {
		REQUIRE(!number_known(price) || (price > 0 && price < 1e300 * 1e10));
		REQUIRE(memchr(currency, '\0', sizeof currency));
	} else {
		REQUIRE(status == -1 && price == -1);
	}
	free(copy);
	return 0;
}
