/* SPDX-License-Identifier: Apache-2.0 */
/* Shorthands for cJSON: values that may be missing or unknown. */
#ifndef RTRACK_REPORT_SAY_JSON_H
#define RTRACK_REPORT_SAY_JSON_H

#include <cjson/cJSON.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* A text of an object, or "". */
const char *json_string(const cJSON *object, const char *key);
/* A number of an object, or UNKNOWN. */
double json_double(const cJSON *object, const char *key);

/* A number rounded to `digits` decimals; one that is unknown or infinite as it is. */
double json_rounded(double value, int digits);

/* Adds a number rounded to `digits` decimals; null when it is unknown or infinite. */
void json_add_number(cJSON *object, const char *key, double value, int digits);

/* The number with as few digits as it is read back from. */
struct json_shortest {
	char text[32];
};
struct json_shortest json_shortest(double value);

/* Writes printed JSON and a line's end. A text of a job may hold any bytes: each that is no UTF-8 becomes U+FFFD, and a
 * character that a terminal would obey becomes \uXXXX. */
void json_write(FILE *out, const char *json);

/* Writes a string between double quotes, as JSON, YAML and Python take it, and as safe as above. */
void json_put_string(FILE *out, const char *text);

/* Writes a value and a line's end to stdout, and frees it. Returns 0, or -1 for NULL. */
int json_print(cJSON *json);

/* An array to stdout item by item, as json_print would write it: of ten thousand items one at a time is in memory. */
struct json_list {
	size_t count;
};

/* Writes an item and frees it. */
void json_list_add(struct json_list *list, cJSON *item);
void json_list_end(const struct json_list *list);

#endif
