/* SPDX-License-Identifier: Apache-2.0 */
/* Tokens of conditions. */
#include "report/compare/scan.h"

#include <string.h>

static void drop(struct text *text, size_t count)
{
	*text = (struct text){text->data + count, text->length - count};
}

static void skip_spaces(struct text *text)
{
	while (text->length > 0 && text->data[0] == ' ')
		drop(text, 1);
}

struct text scan_word(struct text *text, const char *bytes)
{
	skip_spaces(text);
	struct text word = {text->data, 0};
	while (word.length < text->length && text->data[word.length] != '\0' && strchr(bytes, text->data[word.length]))
		word.length++;
	drop(text, word.length);
	skip_spaces(text);
	return word;
}

bool scan_byte(struct text *text, char byte)
{
	bool there = text->length > 0 && text->data[0] == byte;

	if (there)
		drop(text, 1);
	return there;
}

bool scan_comparison(struct text *text, bool *less, bool *or_equal)
{
	*less = scan_byte(text, '<');
	if (!*less && !scan_byte(text, '>'))
		return false;
	*or_equal = scan_byte(text, '=');
	skip_spaces(text);
	return true;
}
