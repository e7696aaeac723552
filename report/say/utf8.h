/* SPDX-License-Identifier: Apache-2.0 */
/* Strict UTF-8 (no overlong forms, no surrogates), and detection of characters that control a terminal. */
#ifndef RTRACK_REPORT_SAY_UTF8_H
#define RTRACK_REPORT_SAY_UTF8_H

#include "core/base.h"

/* Decodes the first character of the NUL-terminated `text`. Returns its length and stores its code point, or returns 0
 * if the bytes are invalid. NUL is a character of length 1. */
size_t utf8_decode(const char *text, uint32_t *code);

/* Whether a character controls a terminal instead of being displayed: control characters, also beyond ASCII, invisible
 * characters, and characters that change the writing direction. */
bool utf8_is_control(uint32_t code);

/* A character in displayable form. */
struct utf8_shown {
	char text[20]; /* the character, or its escape in C syntax */
	size_t length; /* number of bytes that it replaces in the text */
	uint32_t code; /* 0 if it is escaped */
};

/* The character at text[at] in displayable form: unchanged, or escaped in C syntax as \n, \r, \t or \xNN per byte if it
 * controls a terminal or is invalid. With `ascii`, all non-ASCII characters are escaped. */
struct utf8_shown utf8_show(struct text text, size_t at, bool ascii);

/* The character at text[at] for a JSON string: unchanged, escaped as JSON requires, or as \uXXXX if it controls a
 * terminal (two of them beyond U+FFFF). Invalid bytes become U+FFFD. */
struct utf8_shown utf8_in_json(struct text text, size_t at);

/* The text with each invalid byte replaced by U+FFFD, as JSON records have it. Returns `text` itself if it is valid or
 * `out` has no room. */
const char *utf8_recorded(const char *text, struct buffer *out);

/* The beginning of a text, at most `most` bytes, without splitting a character. */
struct text utf8_cut(struct text text, size_t most);

#endif
