/* Characters of UTF-8; see utf8.h. */
#include "report/utf8.h"

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
