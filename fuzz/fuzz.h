/* SPDX-License-Identifier: Apache-2.0 */
/* Shared by the fuzz targets. libFuzzer calls fuzz_one repeatedly with bytes that it chooses. If a sanitizer reports an
 * error or a REQUIRE fails, libFuzzer saves those bytes to a file and exits. */
#ifndef RTRACK_FUZZ_FUZZ_H
#define RTRACK_FUZZ_FUZZ_H

#include "core/base.h"

#include <stdlib.h>
#include <string.h>

#define REQUIRE(condition)                                                                                             \
	do {                                                                                                           \
		if (!(condition))                                                                                      \
			abort();                                                                                       \
	} while (0)

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Returns a copy of the data in memory of exactly its size, so that AddressSanitizer detects reads beyond the end. If
 * `terminated`, a NUL is appended. The caller must free the result. */
static inline char *fuzz_copy(const uint8_t *data, size_t size, bool terminated)
{
	char *copy = malloc(size + (terminated ? 1 : 0) + (size == 0));
	REQUIRE(copy);
	if (size > 0)
		memcpy(copy, data, size);
	if (terminated)
		copy[size] = '\0';
	return copy;
}

#endif
