/* SPDX-License-Identifier: Apache-2.0 */
/* Tests of texts, buffers and environment blocks. */
#include "core/base.h"
#include "tests/unit/lib/tap.h"
#include "tests/unit/lib/texts.h"

static void check_names(void)
{
	static const struct {
		const char *path;
		const char *name;
	} rows[] = {{"", ""}, {"a", "a"}, {"/bin/sh", "sh"}, {"dir/", ""}, {"//x//y", "y"}};

	for (size_t i = 0; i < ARRAY_LENGTH(rows); i++)
		is_text(string_of(text_basename(text_of(rows[i].path))), rows[i].name, rows[i].path);
}

static void check_texts(void)
{
	ok(text_of(NULL).length == 0 && text_of("abc").length == 3, "the length of a string and of NULL");
	ok(text_equal(TEXT("ab"), text_of("ab")), "equal texts");
	ok(!text_equal(TEXT("ab"), TEXT("abc")) && !text_equal(TEXT("ab"), TEXT("ac")), "texts that differ");
	ok(text_is(TEXT(""), "") && !text_is(TEXT("a"), ""), "only the empty text equals the empty text");
	ok(text_starts(TEXT("abc"), "ab") && text_starts(TEXT("abc"), "") && !text_starts(TEXT("a"), "ab"),
		"the beginning of a text");
	ok(text_ends(TEXT("abc"), "bc") && text_ends(TEXT("abc"), "") && !text_ends(TEXT("c"), "bc"),
		"the end of a text");
	ok(text_find(TEXT("a,b,c"), ',', 0) == 1 && text_find(TEXT("a,b,c"), ',', 2) == 3, "the position of a byte");
	ok(text_find(TEXT("abc"), ',', 0) == 3 && text_find(TEXT("abc"), 'a', 9) == 3,
		"the length, if the byte is missing");
}

static void check_environment(void)
{
	char first[] = "NAME=first", longer[] = "NAMES=longer", equals[] = "WITH=a=b",
	     empty[] = "EMPTY=", bare[] = "BARE";
	char *environment[] = {longer, bare, first, equals, empty, NULL};

	is_text(environment_get(environment, "NAME"), "first", "a name is not confused with a longer one");
	is_text(environment_get(environment, "WITH"), "a=b", "a value with an equals sign");
	is_text(environment_get(environment, "EMPTY"), "", "an empty value");
	is_text(environment_get(environment, "BARE"), NULL, "an entry without an equals sign");
	is_text(environment_get(environment, "NAM"), NULL, "the beginning of a name is not found");
	is_text(environment_get(NULL, "NAME"), NULL, "a NULL environment");
}

static void check_buffers(void)
{
	char space[4];
	struct buffer out = BUFFER(space);

	buffer_string(&out, "abc");
	buffer_byte(&out, 'd');
	ok(out.length == 4 && !out.full, "a buffer takes as many bytes as fit");
	buffer_byte(&out, 'e');
	ok(out.length == 4 && out.full, "bytes that do not fit are dropped, and the buffer is marked full");
	is_text(buffer_terminate(&out), "abc", "a full buffer is cut to make room for the NUL");

	char more[64];
	out = BUFFER(more);
	buffer_unsigned(&out, 0);
	buffer_byte(&out, ' ');
	buffer_unsigned(&out, UINT64_MAX);
	buffer_byte(&out, ' ');
	buffer_padded(&out, 7, 3);
	buffer_byte(&out, ' ');
	buffer_padded(&out, 1234, 3);
	is_text(buffer_terminate(&out), "0 18446744073709551615 007 1234", "numbers, padded and not");
	ok(!out.full, "nothing was dropped");
}

int main(void)
{
	check_names();
	check_texts();
	check_environment();
	check_buffers();
	return done();
}
