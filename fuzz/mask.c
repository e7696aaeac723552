/* SPDX-License-Identifier: Apache-2.0 */
/* Puts a secret into a command line with any quoting. The secret must be masked, and masking must add at most three
 * bytes per input byte. */
#include "sampler/run/mask.h"
#include "fuzz/fuzz.h"

#define PLANTED "WbH7"

static bool holds(const struct buffer *out, const char *word)
{
	size_t length = strlen(word);

	for (size_t i = 0; i + length <= out->length; i++)
		if (memcmp(out->data + i, word, length) == 0)
			return true;
	return false;
}

static void write_all(struct buffer *out, const char *patterns, const char *text, size_t length)
{
	struct mask mask = {.patterns = text_of(patterns)};

	out->length = 0;
	mask_join(&mask, out, (struct text){text, length});
	REQUIRE(!out->full);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const char *const forms[] = {" PASSWORD=" PLANTED, "\n--token=" PLANTED, " --api-key " PLANTED,
		" x://user:" PLANTED "@host", " ghp_" PLANTED "0123456789abcdef"};

	/* Removes backslashes at the end. Otherwise the last one would escape the space before the option, and join the
	 * option to the preceding word. */
	while (size > 0 && data[size - 1] == '\\')
		size--;
	for (size_t i = 0; i < sizeof forms / sizeof forms[0]; i++) {
		size_t length = size + strlen(forms[i]);
		char *line = malloc(length);
		struct buffer out = {malloc(3 * length + 3), 0, 3 * length + 3, false};
		REQUIRE(line && out.data);
		if (size > 0)
			memcpy(line, data, size);
		memcpy(line + size, forms[i], length - size);
		write_all(&out, "", line, length);
		struct buffer given = {line, size, size, false};
		REQUIRE(holds(&given, PLANTED) || !holds(&out, PLANTED));
		write_all(&out, "off", line, length);
		free(line);
		free(out.data);
	}
	char *patterns = fuzz_copy(data, size, true);
	struct buffer out = {malloc(3 * size + 3), 0, 3 * size + 3, false};
	write_all(&out, patterns, patterns, size < 200 ? size : 200);
	free(patterns);
	free(out.data);
	return 0;
}
