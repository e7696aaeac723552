/* A writer of JSON into a bounded buffer: what the library and the launcher need for run.json. (rtrack-report reads and
 * writes JSON with cJSON.)
 *
 * Output is one key a line, indented by two spaces a level: sampler/run/file.c relies on it to replace single values
 * later. Bytes that are not UTF-8 become U+FFFD, so that the file is always valid JSON. */
#ifndef RTRACK_CORE_JSON_H
#define RTRACK_CORE_JSON_H

#include "core/base.h"

struct json {
	struct buffer out;
	unsigned depth;
	bool first; /* nothing has been written on this level yet */
};

void json_begin_object(struct json *json, const char *key); /* key NULL: the outermost, or in an array */
void json_end_object(struct json *json);
void json_begin_array(struct json *json, const char *key);
void json_end_array(struct json *json);
void json_text(struct json *json, const char *key, struct text value);               /* key NULL: an array's element */
void json_number(struct json *json, const char *key, double value, unsigned digits); /* UNKNOWN, or too large: null */
void json_null(struct json *json, const char *key);
/* Appends the string itself, quoted and escaped, with no key, comma or line end. */
void json_write_string(struct buffer *out, struct text value);

#endif
