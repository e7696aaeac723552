/* Characters of UTF-8, strictly: no overlong forms, no surrogates; and those among them that are obeyed, not shown. */
#ifndef RTRACK_REPORT_SAY_UTF8_H
#define RTRACK_REPORT_SAY_UTF8_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The length of the character that the NUL-terminated `text` begins with, and its code; 0 when it is none.
 * A NUL is a character of length 1. */
size_t utf8_decode(const char *text, uint32_t *code);

/* Whether a terminal obeys it rather than shows it: control characters, also those beyond ASCII, and what cannot be
 * seen or turns the direction of writing. */
bool utf8_is_control(uint32_t code);

enum { UTF8_JSON_SIZE = 13 };

/* Writes a character as JSON has it that may stand nowhere in the open: \uXXXX, twice beyond U+FFFF. */
void utf8_as_json(uint32_t code, char text[UTF8_JSON_SIZE]);

#endif
