/* SPDX-License-Identifier: Apache-2.0 */
/* A JSON writer for bounded buffers. The library and rtrack-run use it for run.json; rtrack-report uses cJSON.
 *
 * The output has one key per line, indented by two spaces per level, because sampler/run/file.c replaces single lines
 * of it. Invalid UTF-8 is replaced by U+FFFD, because otherwise the file would not be valid JSON. */
#ifndef RTRACK_CORE_JSON_H
#define RTRACK_CORE_JSON_H

#include "core/base.h"

struct json {
	struct buffer out;
	unsigned depth;
	bool first; /* whether nothing has been written at this level yet */
};

void json_begin_object(struct json *json, const char *key); /* `key` is NULL at the top level and in arrays. */
void json_end_object(struct json *json);
void json_begin_array(struct json *json, const char *key);
void json_end_array(struct json *json);
void json_text(struct json *json, const char *key, struct text value); /* `key` is NULL in arrays. */
/* Writes null if `value` is UNKNOWN or too large. */
void json_number(struct json *json, const char *key, double value, unsigned digits);
void json_null(struct json *json, const char *key);
/* Appends a string in quotes, with escapes, but without a key, a comma or a newline. */
void json_write_string(struct buffer *out, struct text value);

#endif
