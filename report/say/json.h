/* SPDX-License-Identifier: Apache-2.0 */
/* Helpers for cJSON: values that may be missing or unknown. */
#ifndef RTRACK_REPORT_SAY_JSON_H
#define RTRACK_REPORT_SAY_JSON_H

#include <cjson/cJSON.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* A string of an object, or "". */
const char *json_string(const cJSON *object, const char *key);
/* A number of an object, or UNKNOWN. */
double json_double(const cJSON *object, const char *key);

/* The most common string of an array; of equally common ones the first. NULL if the array is empty. */
const char *json_most_common(const cJSON *strings);

/* Rounds to `digits` decimals. An unknown or infinite value is returned unchanged. */
double json_rounded(double value, int digits);

/* Adds a number rounded to `digits` decimals, or null if it is unknown or infinite. */
void json_add_number(cJSON *object, const char *key, double value, int digits);

/* Adds a string, or null if `value` is NULL or empty. */
void json_add_string(cJSON *object, const char *key, const char *value);

/* The shortest decimal that reads back as the same double. */
struct json_shortest {
	char text[32];
};
struct json_shortest json_shortest(double value);

/* Writes printed JSON and a newline. A job's strings may contain any bytes: invalid UTF-8 becomes U+FFFD, and
 * characters that control a terminal become \uXXXX. */
void json_write(FILE *out, const char *json);

/* The text that json_write would write, on one line. The caller frees it. */
char *json_compact(const cJSON *json);

/* Writes a double-quoted string that is valid in JSON, YAML and Python, with the same replacements as json_write. */
void json_put_string(FILE *out, const char *text);

/* Prints a value and a newline to stdout, and frees the value. Returns EXIT_DONE. */
int json_print(cJSON *json);
/* Prints {"KEY": "VALUE"}. Returns EXIT_DONE. */
int json_print_string(const char *key, const char *value);

/* Prints an array to stdout item by item, so that only one item is in memory. */
struct json_list {
	size_t count;
};

/* Prints an item and frees it. */
void json_list_add(struct json_list *list, cJSON *item);
/* Ends the array. */
void json_list_end(const struct json_list *list);

#endif
