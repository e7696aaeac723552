/* What we need of cJSON over and over; see json.h. */
#include "report/json.h"

#include "core/number.h"
#include "report/utf8.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

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

void json_write(FILE *out, const char *json)
{
	uint32_t code;

	while (*json) {
		size_t whole = 0;
		size_t length;
		while (json[whole] && (length = utf8_decode(json + whole, &code)) > 0)
			whole += length;
		fwrite(json, 1, whole, out);
		json += whole;
		if (*json) {
			fputs("\xef\xbf\xbd", out);
			json++;
		}
	}
	fputc('\n', out);
}
