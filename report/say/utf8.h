/* Characters of UTF-8, strictly (no overlong forms, no surrogates), and which of them a terminal obeys instead of
 * showing them. */
#ifndef RTRACK_REPORT_SAY_UTF8_H
#define RTRACK_REPORT_SAY_UTF8_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The length of the character at the beginning of the NUL-terminated `text`, and its code; 0 when the bytes are no
 * character. A NUL is a character of length 1. */
size_t utf8_decode(const char *text, uint32_t *code);

/* Whether a terminal obeys the character rather than shows it: control characters, also those beyond ASCII, and
 * characters that are invisible or turn the direction of writing. */
bool utf8_is_control(uint32_t code);

enum { UTF8_JSON_SIZE = 13 };

/* Writes a character as a JSON escape: \uXXXX, two of them beyond U+FFFF. */
void utf8_as_json(uint32_t code, char text[UTF8_JSON_SIZE]);

#endif
