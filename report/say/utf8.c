/* SPDX-License-Identifier: Apache-2.0 */
/* Strict UTF-8, and detection of characters that control a terminal. */
#include "report/say/utf8.h"

#include "core/base.h"

#include <stdio.h>
#include <string.h>

static uint32_t code_of(const char *text, size_t length)
{
	uint32_t code = (unsigned char)text[0] & (length == 1 ? 0x7fu : 0x7fu >> length);

	for (size_t i = 1; i < length; i++)
		code = code << 6 | ((unsigned char)text[i] & 0x3fu);
	return code;
}

size_t utf8_decode(const char *text, uint32_t *code)
{
	/* maximum length of a character; the text may be shorter, because a NUL is never part of a longer character */
	enum { LENGTH_MAX = 4 };
	size_t length = text_character((struct text){text, LENGTH_MAX}, 0);

	if (length > 0)
		*code = code_of(text, length);
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

struct utf8_shown utf8_in_json(struct text text, size_t at)
{
	const char *from = text.data + at;
	size_t length = text_character(text, at);
	uint32_t code = length > 0 ? code_of(from, length) : 0;
	struct utf8_shown piece = {.length = length > 0 ? length : 1, .code = code};
	unsigned beyond = (unsigned)code - 0x10000;

	if (length == 0)
		snprintf(piece.text, sizeof piece.text, "\xef\xbf\xbd");
	else if (code == '"' || code == '\\')
		snprintf(piece.text, sizeof piece.text, "\\%c", (char)code);
	else if (!utf8_is_control(code))
		memcpy(piece.text, from, length);
	else if (code < 0x10000)
		snprintf(piece.text, sizeof piece.text, "\\u%04x", (unsigned)code & 0xffff);
	else
		snprintf(piece.text, sizeof piece.text, "\\u%04x\\u%04x", 0xd800 | (beyond >> 10 & 0x3ff),
			0xdc00 | (beyond & 0x3ff));
	return piece;
}

const char *utf8_recorded(const char *text, struct buffer *out)
{
	const struct text whole = text_of(text);
	size_t begin = out->length, length;
	bool same = true;

	for (size_t at = 0; at<whole.length; at += length> 0 ? length : 1) {
		length = text_character(whole, at);
		same &= length > 0;
		buffer_text(out, length > 0 ? (struct text){text + at, length} : TEXT("\xef\xbf\xbd"));
	}
	buffer_text(out, (struct text){"", 1});
	if (!same && !out->full)
		return out->data + begin;
	out->length = begin;
	out->full = false;
	return text;
}

struct utf8_shown utf8_show(struct text text, size_t at, bool ascii)
{
	static const struct {
		char byte;
		const char *text;
	} named[] = {{'\n', "\\n"}, {'\r', "\\r"}, {'\t', "\\t"}};
	const char *from = text.data + at;
	size_t length = text_character(text, at);
	struct utf8_shown one = {.length = length > 0 ? length : 1, .code = length > 0 ? code_of(from, length) : 0};

	if (length > 0 && !utf8_is_control(one.code) && (length == 1 || !ascii)) {
		memcpy(one.text, from, length);
		return one;
	}
	one.code = 0;
	for (size_t i = 0; i < ARRAY_LENGTH(named); i++)
		if (*from == named[i].byte) {
			snprintf(one.text, sizeof one.text, "%s", named[i].text);
			return one;
		}
	for (size_t i = 0; i < one.length; i++)
		snprintf(one.text + 4 * i, sizeof one.text - 4 * i, "\\x%02x", (unsigned char)from[i]);
	return one;
}

struct text utf8_cut(struct text text, size_t most)
{
	if (text.length <= most)
		return text;
	for (size_t at = most; at > 0 && most - at < 4; at--)
		if (((unsigned char)text.data[at] & 0xc0) != 0x80)
			return (struct text){text.data, at};
	return (struct text){text.data, most};
}
