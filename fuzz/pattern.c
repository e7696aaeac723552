/* SPDX-License-Identifier: Apache-2.0 */
/* Compares pattern_match with fnmatch, for patterns that have the same meaning in both. */
#include "core/pattern.h"
#include "fuzz/fuzz.h"

#include <fnmatch.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const uint8_t *nul = size > 0 ? memchr(data, 0, size) : NULL;
	size_t split = nul ? (size_t)(nul - data) : size;
	size_t rest = nul ? size - split - 1 : 0;
	char *pattern = fuzz_copy(data, split, true);
	char *subject = fuzz_copy(nul ? nul + 1 : data, rest, true);
	bool ascii = true;

	for (size_t i = 0; i < size; i++)
		ascii = ascii && data[i] < 0x80;
	bool matches = pattern_match((struct text){pattern, split}, text_of(subject));
	if (ascii && !strpbrk(pattern, "[\\") && size < 200)
		REQUIRE(matches == (fnmatch(pattern, subject, 0) == 0));
	(void)pattern_list_match((struct text){pattern, split}, text_of(subject));
	free(pattern);
	free(subject);
	return 0;
}
