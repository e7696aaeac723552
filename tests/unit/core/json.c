/* SPDX-License-Identifier: Apache-2.0 */
/* Tests that any bytes give valid JSON, with one key per line. */
#include "core/json.h"
#include "core/number.h"
#include "tests/unit/lib/tap.h"
#include "tests/unit/lib/texts.h"

static void check_strings(void)
{
	static const struct {
		struct text text;
		const char *json;
	} rows[] = {
		{TEXT(""), "\"\""},
		{TEXT("plain"), "\"plain\""},
		{TEXT("a\"b\\c"), "\"a\\\"b\\\\c\""},
		{TEXT("a\nb\tc\x7f"), "\"a\\u000ab\\u0009c\\u007f\""},
		{TEXT("nul\0in"), "\"nul\\u0000in\""},
		{TEXT("\xc3\xa9 \xe2\x82\xac \xf0\x9f\x98\x80"), "\"\xc3\xa9 \xe2\x82\xac \xf0\x9f\x98\x80\""},
		{TEXT("\xff"), "\"\xef\xbf\xbd\""},
		{TEXT("\xc3"), "\"\xef\xbf\xbd\""},
		{TEXT("\xc3("), "\"\xef\xbf\xbd(\""},
		{TEXT("\xc0\xaf"), "\"\xef\xbf\xbd\xef\xbf\xbd\""}, /* '/' in an overlong encoding of two bytes */
		{TEXT("\xe0\x80\xaf"),
			"\"\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\""}, /* '/' in an overlong encoding of three bytes */
		{TEXT("\xed\xa0\x80"), "\"\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\""}, /* half of a surrogate pair */
		{TEXT("\xf4\x90\x80\x80"), "\"\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\""}, /* above U+10FFFF */
		{TEXT("\xf0\x9f\x98"), "\"\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\""},
	};

	for (size_t i = 0; i < ARRAY_LENGTH(rows); i++) {
		char space[128];
		struct buffer out = BUFFER(space);
		json_write_string(&out, rows[i].text);
		is_text(content(&out), rows[i].json, rows[i].json);
	}
}

static void check_document(void)
{
	char space[512];
	struct json json = {.out = BUFFER(space)};

	json_begin_object(&json, NULL);
	json_text(&json, "text", TEXT("x"));
	json_number(&json, "number", 1.25, 2);
	json_number(&json, "unknown", UNKNOWN, 2);
	json_null(&json, "nothing");
	json_begin_array(&json, "list");
	json_text(&json, NULL, TEXT("a"));
	json_text(&json, NULL, TEXT("b"));
	json_end_array(&json);
	json_begin_object(&json, "empty");
	json_end_object(&json);
	json_begin_array(&json, "none");
	json_end_array(&json);
	json_end_object(&json);
	is_text(content(&json.out),
		"{\n"
		"  \"text\": \"x\",\n"
		"  \"number\": 1.25,\n"
		"  \"unknown\": null,\n"
		"  \"nothing\": null,\n"
		"  \"list\": [\n"
		"    \"a\",\n"
		"    \"b\"\n"
		"  ],\n"
		"  \"empty\": {},\n"
		"  \"none\": []\n"
		"}\n",
		"a document, one key a line");
}

/* A number that JSON cannot express is written as null, so that the document stays valid. */
static void check_numbers_without_text(void)
{
	char space[64];
	struct json json = {.out = BUFFER(space)};

	json_begin_array(&json, NULL);
	json_number(&json, NULL, __builtin_inf(), 0);
	json_number(&json, NULL, 1e300, 3);
	json_end_array(&json);
	is_text(content(&json.out), "[\n  null,\n  null\n]\n", "numbers too large to be written are null");
}

int main(void)
{
	check_strings();
	check_document();
	check_numbers_without_text();
	return done();
}
