/* What we need of cJSON over and over: a value that may not be there, and one that may not be known. */
#ifndef RTRACK_REPORT_JSON_H
#define RTRACK_REPORT_JSON_H

#include <cjson/cJSON.h>

/* A text of an object, or "". */
const char *json_string(const cJSON *object, const char *key);
/* A number of an object, or UNKNOWN. */
double json_double(const cJSON *object, const char *key);

/* Adds a number rounded to `digits` decimals; null when it is unknown or infinite. */
void json_add_number(cJSON *object, const char *key, double value, int digits);

/* Adds a text; each byte of it that is no UTF-8 becomes U+FFFD. */
void json_add_text(cJSON *object, const char *key, const char *text);

#endif
