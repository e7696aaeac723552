/* What we need of cJSON over and over; see json.h. */
#include "report/say/json.h"

#include "core/number.h"
#include "report/say/utf8.h"

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

/* The length of a character that is written as it is, else 0. Below a space are the line ends of the JSON itself. */
static size_t shown_length(const char *json)
{
	uint32_t code = 0;
	size_t length = *json ? utf8_decode(json, &code) : 0;
	return code >= ' ' && utf8_is_control(code) ? 0 : length;
}

/* Writes one character that may not stand as it is; returns how many bytes of `json` it is made of. */
static size_t put_hidden(const char *json, FILE *out)
{
	char escaped[UTF8_JSON_SIZE] = "\xef\xbf\xbd";
	uint32_t code;
	size_t length = utf8_decode(json, &code);

	if (length > 0)
		utf8_as_json(code, escaped);
	fputs(escaped, out);
	return length > 0 ? length : 1;
}

void json_write(FILE *out, const char *json)
{
	while (*json) {
		size_t whole = 0;
		size_t length;
		while ((length = shown_length(json + whole)) > 0)
			whole += length;
		fwrite(json, 1, whole, out);
		json += whole;
		if (*json)
			json += put_hidden(json, out);
	}
	fputc('\n', out);
}

int json_print(cJSON *json)
{
	char *text = json ? cJSON_Print(json) : NULL;

	cJSON_Delete(json);
	if (!text)
		return -1;
	json_write(stdout, text);
	cJSON_free(text);
	return 0;
}
