/* What we need of cJSON over and over; see json.h. */
#include "report/json.h"

#include "core/number.h"
#include "report/utf8.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *json_string(const cJSON *object, const char *key)
{
	const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, key);
	return cJSON_IsString(item) ? item->valuestring : "";
}

double json_double(const cJSON *object, const char *key)
{
	const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, key);
	return cJSON_IsNumber(item) && isfinite(item->valuedouble) ? item->valuedouble : UNKNOWN;
}

void json_add_number(cJSON *object, const char *key, double value, int digits)
{
	char text[400]; /* the largest double has 309 digits */

	if (!isfinite(value)) {
		cJSON_AddNullToObject(object, key);
		return;
	}
	snprintf(text, sizeof text, "%.*f", digits, value);
	cJSON_AddNumberToObject(object, key, strtod(text, NULL));
}

void json_add_text(cJSON *object, const char *key, const char *text)
{
	static const char replacement[] = "\xef\xbf\xbd";
	char *clean = malloc(strlen(text) * strlen(replacement) + 1);
	size_t used = 0;
	uint32_t code;

	if (!clean)
		return;
	while (*text) {
		size_t length = utf8_decode(text, &code);
		memcpy(clean + used, length > 0 ? text : replacement, length > 0 ? length : strlen(replacement));
		used += length > 0 ? length : strlen(replacement);
		text += length > 0 ? length : 1;
	}
	clean[used] = '\0';
	cJSON_AddStringToObject(object, key, clean);
	free(clean);
}
