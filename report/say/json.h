/* SPDX-License-Identifier: Apache-2.0 */
/* Helper functions for cJSON, mainly for values that may be missing or unknown. */
#ifndef RTRACK_REPORT_SAY_JSON_H
#define RTRACK_REPORT_SAY_JSON_H

#include "core/base.h"

#include <cjson/cJSON.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* Returns the number of values in a JSON text, without parsing it. Each value takes about 80 bytes when it is parsed.
 */
size_t json_count(struct text text);

/* Returns a string of an object, or "" if it is missing. */
const char *json_string(const cJSON *object, const char *key);
/* Returns a number of an object, or UNKNOWN if it is missing. */
double json_double(const cJSON *object, const char *key);

/* Returns the most common string of an array. If several are equally common, returns the first of them. Returns NULL if
 * the array is empty. */
const char *json_most_common(const cJSON *strings);

/* Rounds a value to `digits` decimals. An unknown or infinite value is returned unchanged. */
double json_rounded(double value, int digits);

/* Adds a number to an object, rounded to `digits` decimals. Adds null if the number is unknown or infinite. */
void json_add_number(cJSON *object, const char *key, double value, int digits);

/* Adds a string to an object. Adds null if `value` is NULL or empty. */
void json_add_string(cJSON *object, const char *key, const char *value);

/* The shortest decimal number that is parsed as exactly the same double. */
struct json_shortest {
	char text[32];
};
struct json_shortest json_shortest(double value);

/* Writes JSON text, as printed by cJSON, and a newline. The strings of a job may contain any bytes. Therefore, invalid
 * UTF-8 is replaced by U+FFFD, and characters that control a terminal by \uXXXX. */
void json_write(FILE *out, const char *json);

/* Returns the text that json_write would write, but on one line. The caller must free it. */
char *json_compact(const cJSON *json);

/* Writes a string in double quotes that is valid in JSON, YAML and Python. Makes the same replacements as
 * json_write. */
void json_put_string(FILE *out, const char *text);

/* Prints a value and a newline to stdout, and frees the value. Returns EXIT_DONE. */
int json_print(cJSON *json);
/* Prints {"KEY": "VALUE"}. Returns EXIT_DONE. */
int json_print_string(const char *key, const char *value);

/* Prints a JSON array to stdout, one item at a time, so that only one item is in memory. */
struct json_list {
	size_t count;
};

/* Prints an item of the array, and frees it. */
void json_list_add(struct json_list *list, cJSON *item);
/* Ends the array. */
void json_list_end(const struct json_list *list);

#endif
