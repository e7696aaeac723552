/* SPDX-License-Identifier: Apache-2.0 */
/* Converts a struct text to a C string, for the checks of tap.h. */
#ifndef RTRACK_TESTS_TEXTS_H
#define RTRACK_TESTS_TEXTS_H

#include "core/base.h"

#include <string.h>

/* Returns a copy, or NULL for a text without data. The copy is valid until the call after the next one. */
__attribute__((unused)) static const char *string_of(struct text text)
{
	static char copies[2][8192];
	static unsigned turn;
	char *copy = copies[turn++ % 2];

	if (!text.data || text.length >= sizeof copies[0])
		return NULL;
	memcpy(copy, text.data, text.length);
	copy[text.length] = '\0';
	return copy;
}

__attribute__((unused)) static const char *content(const struct buffer *buffer)
{
	return string_of((struct text){buffer->data, buffer->length});
}

#endif
