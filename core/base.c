/* SPDX-License-Identifier: Apache-2.0 */
/* String operations for code that cannot use a C library. */
#include "core/base.h"

size_t text_length(const char *string)
{
	size_t length = 0;
	while (string[length] != '\0')
		length++;
	return length;
}

struct text text_of(const char *string)
{
	return (struct text){string, string ? text_length(string) : 0};
}

bool text_equal(struct text a, struct text b)
{
	if (a.length != b.length)
		return false;
	for (size_t i = 0; i < a.length; i++)
		if (a.data[i] != b.data[i])
			return false;
	return true;
}

bool text_is(struct text a, const char *string)
{
	return text_equal(a, text_of(string));
}

bool text_starts(struct text a, const char *prefix)
{
	size_t length = text_length(prefix);
	return a.length >= length && text_equal((struct text){a.data, length}, text_of(prefix));
}

bool text_ends(struct text a, const char *suffix)
{
	size_t length = text_length(suffix);
	return a.length >= length && text_equal((struct text){a.data + a.length - length, length}, text_of(suffix));
}

struct text text_basename(struct text path)
{
	size_t start = path.length;
	while (start > 0 && path.data[start - 1] != '/')
		start--;
	return (struct text){path.data + start, path.length - start};
}

size_t text_find(struct text text, char byte, size_t from)
{
	while (from < text.length && text.data[from] != byte)
		from++;
	return from < text.length ? from : text.length;
}

size_t text_search(struct text text, const char *part)
{
	for (size_t at = 0; at < text.length; at++)
		if (text.data[at] == part[0] && text_starts((struct text){text.data + at, text.length - at}, part))
			return at;
	return text.length;
}

size_t text_character(struct text text, size_t at)
{
	const unsigned char *byte = (const unsigned char *)text.data + at;
	size_t left = text.length - at;
	size_t length = byte[0] < 0x80                       ? 1
			: byte[0] >= 0xc2 && byte[0] <= 0xdf ? 2
			: byte[0] >= 0xe0 && byte[0] <= 0xef ? 3
			: byte[0] >= 0xf0 && byte[0] <= 0xf4 ? 4
							     : 0;
	if (length == 0 || length > left)
		return 0;
	for (size_t i = 1; i < length; i++)
		if ((byte[i] & 0xc0) != 0x80)
			return 0;
	if (length == 3 && ((byte[0] == 0xe0 && byte[1] < 0xa0) || (byte[0] == 0xed && byte[1] > 0x9f)))
		return 0;
	if (length == 4 && ((byte[0] == 0xf0 && byte[1] < 0x90) || (byte[0] == 0xf4 && byte[1] > 0x8f)))
		return 0;
	return length;
}

const char *environment_get(char *const *environment, const char *name)
{
	if (!environment)
		return NULL;
	for (; *environment; environment++) {
		const char *entry = *environment;
		size_t i = 0;
		while (name[i] != '\0' && entry[i] == name[i])
			i++;
		if (name[i] == '\0' && entry[i] == '=')
			return entry + i + 1;
	}
	return NULL;
}

struct buffer buffer_over(char *data, size_t capacity)
{
	return (struct buffer){data, 0, capacity, false};
}

void buffer_byte(struct buffer *out, char byte)
{
	if (out->length < out->capacity)
		out->data[out->length++] = byte;
	else
		out->full = true;
}

void buffer_text(struct buffer *out, struct text text)
{
	size_t room = out->capacity - out->length;
	size_t length = text.length < room ? text.length : room;
	if (length > 0)
		__builtin_memcpy(out->data + out->length, text.data, length);
	out->length += length;
	out->full |= length < text.length;
}

void buffer_string(struct buffer *out, const char *string)
{
	buffer_text(out, text_of(string));
}

void buffer_unsigned(struct buffer *out, uint64_t value)
{
	buffer_padded(out, value, 1);
}

void buffer_padded(struct buffer *out, uint64_t value, unsigned width)
{
	char digits[20];
	size_t first = sizeof digits;
	while (first > 0 && (value > 0 || first + width > sizeof digits)) {
		digits[--first] = (char)('0' + value % 10);
		value /= 10;
	}
	buffer_text(out, (struct text){digits + first, sizeof digits - first});
}

char *buffer_terminate(struct buffer *out)
{
	if (out->length == out->capacity) {
		out->length--;
		out->full = true;
	}
	out->data[out->length] = '\0';
	return out->data;
}
