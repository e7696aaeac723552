/* Characters of UTF-8; see utf8.h. */
#include "report/say/utf8.h"

#include "core/base.h"

#include <stdio.h>

size_t utf8_decode(const char *string, uint32_t *code)
{
	static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
	const unsigned char *text = (const unsigned char *)string;
	size_t length = text[0] < 0x80       ? 1
			: text[0] >> 5 == 6  ? 2
			: text[0] >> 4 == 14 ? 3
			: text[0] >> 3 == 30 ? 4
					     : 0;

	if (length == 1)
		*code = text[0];
	if (length <= 1)
		return length;
	uint32_t value = text[0] & (0x7fu >> length);
	for (size_t i = 1; i < length; i++) {
		if ((text[i] & 0xc0) != 0x80)
			return 0;
		value = value << 6 | (text[i] & 0x3fu);
	}
	if (value < least[length] || value > 0x10ffff || (value >= 0xd800 && value <= 0xdfff))
		return 0;
	*code = value;
	return length;
}

bool utf8_is_control(uint32_t code)
{
	static const struct {
		uint32_t first;
		uint32_t last;
	} controls[] = {{0, 0x1f}, {0x7f, 0x9f}, {0x61c, 0x61c}, {0x200b, 0x200f}, {0x2028, 0x202e}, {0x2060, 0x206f},
		{0xfeff, 0xfeff}, {0xfff9, 0xfffb}, {0xe0000, 0xe007f}};
	for (size_t i = 0; i < ARRAY_LENGTH(controls); i++)
		if (code >= controls[i].first && code <= controls[i].last)
			return true;
	return false;
}

void utf8_as_json(uint32_t code, char text[UTF8_JSON_SIZE])
{
	if (code < 0x10000)
		snprintf(text, UTF8_JSON_SIZE, "\\u%04x", (unsigned)code & 0xffff);
	else
		snprintf(text, UTF8_JSON_SIZE, "\\u%04x\\u%04x", 0xd800 | ((unsigned)(code - 0x10000) >> 10 & 0x3ff),
			0xdc00 | ((unsigned)code & 0x3ff));
}
