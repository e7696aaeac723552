/* Characters of UTF-8, strictly: no overlong forms, no surrogates. */
#ifndef RTRACK_REPORT_UTF8_H
#define RTRACK_REPORT_UTF8_H

#include <stddef.h>
#include <stdint.h>

/* The length of the character that the NUL-terminated `text` begins with, and its code; 0 when it is none.
 * Not to be called at the end of the text. */
size_t utf8_decode(const char *text, uint32_t *code);

#endif
