/* SPDX-License-Identifier: Apache-2.0 */
/* job_name returns a name for any command line: it is never empty, and nothing beyond an argument is read. */
#include "core/job_name.h"
#include "fuzz/fuzz.h"

enum { ARGUMENTS = 8 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const char *const programs[] = {"Rscript", "python3.11", "/usr/bin/java", "bash", "-sh", "R"};
	char *arguments[ARGUMENTS + 1] = {NULL};
	int count = 0;

	/* Arguments are separated by NULs; half of the inputs begin with an interpreter. */
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
