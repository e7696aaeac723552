/* SPDX-License-Identifier: Apache-2.0 */
/* Glob patterns. '*' matches any number of bytes, '?' matches one byte, "[a-c]" matches one of these bytes, and
 * "[!a-c]" matches one other byte. Any other byte matches itself. */
#ifndef RTRACK_CORE_PATTERN_H
#define RTRACK_CORE_PATTERN_H

#include "core/base.h"

/* Returns whether `pattern` matches all of `subject`. The worst-case time is proportional to the product of the two
 * lengths. */
bool pattern_match(struct text pattern, struct text subject);

/* Returns whether one of the comma-separated `patterns` matches `path`. A pattern that contains a '/' is matched
 * against the whole path, any other pattern against the base name. */
bool pattern_list_match(struct text patterns, struct text path);

#endif
