/* SPDX-License-Identifier: Apache-2.0 */
/* Runs the parsers of results of the macOS kernel on any bytes. They must stay inside their buffers. */
#include "fuzz/fuzz.h"
#include "os/darwin/parse.h"

static void require_inside(struct text all, struct text part)
{
	REQUIRE(part.data >= all.data && part.data + part.length <= all.data + all.length);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *copy = fuzz_copy(data, size, true);
	struct text text = {copy, size};
	struct parse_arguments parts;
	uint64_t bytes[2];

	if (parse_arguments(text, &parts) == 0) {
		require_inside(text, parts.path);
		require_inside(text, parts.arguments);
		require_inside(text, parts.environment);
		REQUIRE(parts.arguments.data + parts.arguments.length <= parts.environment.data);
	}
	parse_interfaces(text, bytes);
	REQUIRE(parse_disk(copy) >= -1);
	free(copy);
	return 0;
}
