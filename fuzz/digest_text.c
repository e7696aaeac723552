/* SPDX-License-Identifier: Apache-2.0 */
/* Parses any bytes as a cached digest. An accepted digest must be complete, and its texts must point into the input. */
#include "fuzz/fuzz.h"
#include "report/history/digest.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *copy = fuzz_copy(data, size, true);
	struct digest digest = {.job = "none"};

	if (digest_parse(&digest, copy) != 0) {
		REQUIRE(strcmp(digest.job, "none") == 0);
	} else {
		const char *texts[] = {digest.id, digest.job, digest.status, digest.totals, digest.stats};
		for (size_t i = 0; i < ARRAY_LENGTH(texts); i++)
			REQUIRE(texts[i] >= copy && texts[i] + strlen(texts[i]) < copy + size);
	}
	free(copy);
	return 0;
}
