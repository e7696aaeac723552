/* SPDX-License-Identifier: Apache-2.0 */
/* Helpers for cJSON. */
#include "report/say/json.h"

#include "core/number.h"
#include "report/say/alloc.h"
#include "report/say/exit.h"
#include "report/say/utf8.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

size_t json_count(struct text text)
{
	size_t count = 1;
	bool quoted = false;

	for (size_t i = 0; i < text.length; i++) {
		char byte = text.data[i];
		if (byte == '\\')
			i++;
		else if (byte == '"')
			quoted = !quoted;
		else
			count += !quoted && (byte == ',' || byte == '[' || byte == '{');
	}
	return count;
}

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

const char *json_most_common(const cJSON *strings)
{
	const cJSON *one, *other;
	const char *best = NULL;
	int most = 0;

	cJSON_ArrayForEach(one, strings)
	{
		int count = 0;
		cJSON_ArrayForEach(other, strings)
		{
			count += strcmp(one->valuestring, other->valuestring) == 0;
		}
		if (count > most) {
			most = count;
			best = one->valuestring;
		}
	}
	return best;
}

struct json_shortest json_shortest(double value)
{
	struct json_shortest number;

	for (int digits = 15; digits <= 17; digits++) {
		snprintf(number.text, sizeof number.text, "%.*g", digits, value);
		if (strtod(number.text, NULL) == value)
			break;
	}
	return number;
}

double json_rounded(double value, int digits)
{
	char text[400]; /* large enough for the largest double, which has 309 digits */

	if (!isfinite(value))
		return value;
	snprintf(text, sizeof text, "%.*f", digits, value);
	return strtod(text, NULL);
}

void json_add_number(cJSON *object, const char *key, double value, int digits)
{
	if (isfinite(value))
		cJSON_AddNumberToObject(object, key, json_rounded(value, digits));
	else
		cJSON_AddNullToObject(object, key);
}

/* Returns the length of the first character if it can be written unchanged, else 0. Characters below a space can be
 * written, because they are line breaks and tabs that cJSON printed. */
static size_t shown_length(const char *json)
{
	uint32_t code = 0;
	size_t length = *json ? utf8_decode(json, &code) : 0;
	return code >= ' ' && utf8_is_control(code) ? 0 : length;
}

void json_put_string(FILE *out, const char *text)
{
	struct text all = text_of(text);

	fputc('"', out);
	for (size_t at = 0; at < all.length;) {
		struct utf8_shown piece = utf8_in_json(all, at);
		fputs(piece.text, out);
		at += piece.length;
	}
	fputc('"', out);
}

static void write_text(FILE *out, const char *json, size_t size)
{
	const char *end = json + size;

	while (json < end) {
		size_t whole = 0;
		size_t length = 1;
		while (json + whole < end && length > 0) {
			char next = json[whole];
			/* printable ASCII characters are the most common ones and need no further check */
			bool shown = (next >= ' ' && next < 0x7f) || next == '\n' || next == '\t';
			length = shown ? 1 : shown_length(json + whole);
			whole += length;
		}
		fwrite(json, 1, whole, out);
		json += whole;
		if (json == end)
			break;
		/* The text may have fewer than 4 bytes left. This is safe, because utf8_in_json does not read beyond
		 * the NUL. */
		struct utf8_shown piece = utf8_in_json((struct text){json, 4}, 0);
		fputs(piece.text, out);
		json += piece.length;
	}
}

void json_write(FILE *out, const char *json)
{
	write_text(out, json, strlen(json));
	fputc('\n', out);
}

char *json_compact(const cJSON *json)
{
	char *printed = cJSON_PrintUnformatted(json), *text;
	size_t size;
	FILE *out = xopen_memstream(&text, &size);

	write_text(out, printed, strlen(printed));
	xclose_memstream(out);
	free(printed);
	return text;
}

void json_add_string(cJSON *object, const char *key, const char *value)
{
	cJSON_AddItemToObject(object, key, value && *value ? cJSON_CreateString(value) : cJSON_CreateNull());
}

int json_print(cJSON *json)
{
	char *text = cJSON_Print(json);
	cJSON_Delete(json);
	json_write(stdout, text);
	cJSON_free(text);
	return EXIT_DONE;
}

int json_print_string(const char *key, const char *value)
{
	cJSON *json = cJSON_CreateObject();

	cJSON_AddStringToObject(json, key, value);
	return json_print(json);
}

void json_list_add(struct json_list *list, cJSON *item)
{
	cJSON *alone = cJSON_CreateArray();

	cJSON_AddItemToArray(alone, item);
	char *text = cJSON_Print(alone);
	cJSON_Delete(alone);
	fputs(list->count++ > 0 ? ", " : "[", stdout);
	write_text(stdout, text + 1, strlen(text) - 2); /* print the item without the brackets of the array */
	cJSON_free(text);
}

void json_list_end(const struct json_list *list)
{
	fputs(list->count > 0 ? "]\n" : "[]\n", stdout);
}
