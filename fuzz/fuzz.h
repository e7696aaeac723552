/* What the fuzz targets share: libFuzzer calls fuzz_one with bytes of its choice, and any report of a sanitizer
 * or a broken promise (REQUIRE) ends the run with those bytes in a file. */
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

/* A copy in memory of its own that is exactly as long, so that a read past its end is seen. NUL-terminated copies
 * have one byte more. The caller frees it. */
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
