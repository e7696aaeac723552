/* SPDX-License-Identifier: Apache-2.0 */
/* Shared by the fuzz targets. libFuzzer calls fuzz_one with bytes of its choice. A sanitizer report or a failed REQUIRE
 * ends the run and saves those bytes in a file. */
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

/* Returns a copy in an allocation of its own, so that AddressSanitizer detects reads beyond its end. If `terminated`, a
 * NUL follows. The caller frees it. */
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
