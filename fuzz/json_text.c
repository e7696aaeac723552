/* SPDX-License-Identifier: Apache-2.0 */
/* Writes any bytes as a JSON string. The result must be valid UTF-8 without control characters. It must be complete, or
 * marked as truncated. */
#include "core/json.h"
#include "fuzz/fuzz.h"

/* Returns the length of the UTF-8 sequence at `text`. Returns 0 if it is overlong, a surrogate, above U+10FFFF, or
 * otherwise invalid. */
static size_t utf8_length(const unsigned char *text, size_t left)
{
	static const uint32_t smallest[] = {0, 0, 0x80, 0x800, 0x10000};
	size_t length = text[0] < 0x80       ? 1
			: text[0] >> 5 == 6  ? 2
			: text[0] >> 4 == 14 ? 3
			: text[0] >> 3 == 30 ? 4
					     : 0;

	if (length < 2 || length > left)
		return length <= left ? length : 0;
	uint32_t code = text[0] & (0x7fu >> length);
	for (size_t i = 1; i < length; i++) {
		if (text[i] >> 6 != 2)
			return 0;
		code = code << 6 | (text[i] & 0x3f);
	}
	bool surrogate = code >= 0xd800 && code < 0xe000;
	return code < smallest[length] || surrogate || code > 0x10ffff ? 0 : length;
}

static void require_string(const unsigned char *text, size_t length)
{
	size_t at = 1;

	REQUIRE(length >= 2 && text[0] == '"');
	while (at < length && text[at] != '"') {
		size_t step = utf8_length(text + at, length - at);
		REQUIRE(step > 0 && text[at] >= 0x20);
		if (text[at] == '\\') {
			REQUIRE(at + 1 < length && strchr("\"\\/bfnrtu", text[at + 1]));
			step = text[at + 1] == 'u' ? 6 : 2;
		}
		at += step;
	}
	REQUIRE(at == length - 1);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static char space[65536];
	struct buffer out = BUFFER(space);
	char *copy = fuzz_copy(data, size, false);

	json_write_string(&out, (struct text){copy, size});
	if (!out.full)
		require_string((const unsigned char *)space, out.length);
	char small[16];
	out = BUFFER(small);
	json_write_string(&out, (struct text){copy, size});
	REQUIRE(out.length <= sizeof small);
	free(copy);
	return 0;
}
