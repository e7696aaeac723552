/* SPDX-License-Identifier: Apache-2.0 */
/* Strict UTF-8 (no overlong forms, no surrogates), and detection of characters that control a terminal. */
#ifndef RTRACK_REPORT_SAY_UTF8_H
#define RTRACK_REPORT_SAY_UTF8_H

#include "core/base.h"

/* Decodes the first character of the NUL-terminated `text`. Returns its length and stores its code point, or returns 0
 * if the bytes are invalid. NUL is a character of length 1. */
size_t utf8_decode(const char *text, uint32_t *code);

/* Returns whether a character controls a terminal instead of being displayed. This includes all control characters of
 * Unicode, invisible characters, and characters that change the writing direction. */
bool utf8_is_control(uint32_t code);

/* A character in a form that is safe to display. */
struct utf8_shown {
	char text[20]; /* the character, or its escape in C syntax */
	size_t length; /* number of bytes that the character has in the original text */
	uint32_t code; /* code point, or 0 if the character is escaped */
};

/* Returns the character at text[at] in a form that is safe to display. A character that controls a terminal, or an
 * invalid byte, is escaped as in C (\n, \r, \t or \xNN per byte). If `ascii` is true, all non-ASCII characters are
 * escaped. Other characters are unchanged. */
struct utf8_shown utf8_show(struct text text, size_t at, bool ascii);

/* Returns the character at text[at] as it is written in a JSON string. A character that controls a terminal becomes
 * \uXXXX, or two of them beyond U+FFFF. An invalid byte becomes U+FFFD. */
struct utf8_shown utf8_in_json(struct text text, size_t at);

/* Returns the text with each invalid byte replaced by U+FFFD, because the JSON files of a run contain it in this form.
 * Returns `text` itself if it is valid, or if `out` has no room. */
const char *utf8_recorded(const char *text, struct buffer *out);

/* Returns the beginning of a text, up to `most` bytes. Does not split a character. */
struct text utf8_cut(struct text text, size_t most);

#endif
