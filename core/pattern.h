/* SPDX-License-Identifier: Apache-2.0 */
/* Glob patterns: '*' matches any bytes, '?' one byte, "[a-c]" one of these bytes, "[!a-c]" one other byte; everything
 * else matches itself. */
#ifndef RTRACK_CORE_PATTERN_H
#define RTRACK_CORE_PATTERN_H

#include "core/base.h"

/* Returns whether `pattern` matches all of `subject`. Takes time proportional to the product of the lengths at
 * worst. */
bool pattern_match(struct text pattern, struct text subject);

/* Returns whether one of the comma-separated `patterns` matches `path`. A pattern with a '/' is matched against the
 * whole path, others against the base name. */
bool pattern_list_match(struct text patterns, struct text path);

#endif
