/* SPDX-License-Identifier: Apache-2.0 */
/* Calls job_name with any command line. The name must not be empty, and nothing beyond an argument may be read. */
#include "core/job_name.h"
#include "fuzz/fuzz.h"

enum { ARGUMENTS = 8 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const char *const programs[] = {"Rscript", "python3.11", "/usr/bin/java", "bash", "-sh", "R"};
	char *arguments[ARGUMENTS + 1] = {NULL};
	int count = 0;

	/* The input contains the arguments, separated by NULs. If its first byte is below 128, an interpreter is put
	 * before them. */
	if (size > 0 && data[0] < 128)
		arguments[count++] = strdup(programs[data[0] % ARRAY_LENGTH(programs)]);
	for (size_t from = (size_t)count; from < size && count < ARGUMENTS; count++) {
		const uint8_t *nul = memchr(data + from, 0, size - from);
		size_t end = nul ? (size_t)(nul - data) : size;
		arguments[count] = fuzz_copy(data + from, end - from, true);
		from = end + 1;
	}
	struct text name = job_name(arguments, count);
	REQUIRE(name.length > 0);
	for (int i = 0; i < count; i++)
		free(arguments[i]);
	return 0;
}
