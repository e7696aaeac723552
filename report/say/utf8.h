/* SPDX-License-Identifier: Apache-2.0 */
/* Characters of UTF-8, strictly (no overlong forms, no surrogates), and which of them a terminal obeys instead of
 * showing them. */
#ifndef RTRACK_REPORT_SAY_UTF8_H
#define RTRACK_REPORT_SAY_UTF8_H

#include "core/base.h"

/* The length of the character at the beginning of the NUL-terminated `text`, and its code; 0 when the bytes are no
 * character. A NUL is a character of length 1. */
size_t utf8_decode(const char *text, uint32_t *code);

/* Whether a terminal obeys the character rather than shows it: control characters, also those beyond ASCII, and
 * characters that are invisible or turn the direction of writing. */
bool utf8_is_control(uint32_t code);

/* A character in another form. */
struct utf8_shown {
	char text[20]; /* itself; or, where a terminal would obey it or the bytes are none, as C writes it: \n, \r, \t,
			* or each byte as \xNN */
	size_t length; /* bytes of the text that it stands for */
	uint32_t code; /* 0: it is written as C does */
};

/* The character at text[at] as a person is shown it: itself; or, where a terminal would obey it or the bytes are none,
 * as C writes it: \n, \r, \t, or each byte as \xNN. With `ascii`, all others are written so. */
struct utf8_shown utf8_show(struct text text, size_t at, bool ascii);

/* The character at text[at] within a string of JSON: itself, escaped as JSON asks or, where a terminal would obey it,
 * as \uXXXX, two of them beyond U+FFFF; U+FFFD where the bytes are none. */
struct utf8_shown utf8_in_json(struct text text, size_t at);

/* The text as a record holds it, which is JSON: each byte that is no character as U+FFFD. It is itself where it has
 * none, or where `out` has no room for it. */
const char *utf8_recorded(const char *text, struct buffer *out);

/* The beginning of a text that has `most` bytes at most, and ends in no half of a character. */
struct text utf8_cut(struct text text, size_t most);

#endif
