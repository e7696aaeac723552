/* Glob patterns: '*' any bytes, '?' one byte, "[a-c]" one of these, "[!a-c]" one of the others, all else itself. */
#ifndef RTRACK_CORE_PATTERN_H
#define RTRACK_CORE_PATTERN_H

#include "core/base.h"

/* Whether `pattern` matches the whole of `subject`. Linear in time but for the product of the lengths. */
bool pattern_match(struct text pattern, struct text subject);

/* Whether one of the comma-separated `patterns` matches `path`: its whole if the pattern holds a '/',
 * its base name otherwise. */
bool pattern_list_match(struct text patterns, struct text path);

#endif
