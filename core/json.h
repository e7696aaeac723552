/* SPDX-License-Identifier: Apache-2.0 */
/* A JSON writer for bounded buffers. The library and rtrack-run use it for run.json; rtrack-report uses cJSON.
 *
 * The output has one key per line, indented by two spaces per level. sampler/run/file.c relies on this to replace
 * single values. Invalid UTF-8 is replaced by U+FFFD, so that the file is always valid JSON. */
#ifndef RTRACK_CORE_JSON_H
#define RTRACK_CORE_JSON_H

#include "core/base.h"

struct json {
	struct buffer out;
	unsigned depth;
	bool first; /* nothing has been written at this level yet */
};

void json_begin_object(struct json *json, const char *key); /* `key` is NULL at the top level and in arrays. */
void json_end_object(struct json *json);
void json_begin_array(struct json *json, const char *key);
void json_end_array(struct json *json);
void json_text(struct json *json, const char *key, struct text value); /* `key` is NULL in arrays. */
/* Writes null if `value` is UNKNOWN or too large. */
void json_number(struct json *json, const char *key, double value, unsigned digits);
void json_null(struct json *json, const char *key);
/* Appends only the quoted and escaped string, without key, comma or newline. */
void json_write_string(struct buffer *out, struct text value);

#endif
