/* SPDX-License-Identifier: Apache-2.0 */
/* Tests of glob patterns and lists of patterns. */
#include "core/pattern.h"
#include "tests/unit/lib/tap.h"
#include "tests/unit/lib/texts.h"

static void check_match(void)
{
	static const struct {
		const char *pattern;
		const char *subject;
		bool matches;
	} rows[] = {
		{"", "", true},
		{"", "a", false},
		{"a", "", false},
		{"*", "", true},
		{"*", "any/thing", true},
		{"**", "a", true},
		{"?", "", false},
		{"?", "ab", false},
		{"a?c", "abc", true},
		{"a*c", "ac", true},
		{"a*c", "abcbc", true},
		{"a*c", "abcb", false},
		{"*.so*", "libx.so.6", true},
		{"*a*b*c", "xaxbxcxc", true},
		{"[ab]", "a", true},
		{"[ab]", "c", false},
		{"[ab]", "", false},
		{"[b]ash", "bash", true},
		{"*[0-9][0-9].sh", "run-42.sh", true},
		{"*[0-9][0-9].sh", "run-4x.sh", false},
		{"[!0-9]*", "bash", true},
		{"[!0-9]*", "7z", false},
		{"[^0-9]*", "7z", false},
		{"[]a]", "]", true},
		{"[a-]", "-", true},
		{"[a", "[a", true},
		{"a[", "a[", true},
		{"[]", "[]", true},
		{"A", "a", false},
	};

	for (size_t i = 0; i < ARRAY_LENGTH(rows); i++) {
		char what[64];
		(void)snprintf(what, sizeof what, "'%s' and '%s'", rows[i].pattern, rows[i].subject);
		ok(pattern_match(text_of(rows[i].pattern), text_of(rows[i].subject)) == rows[i].matches, what);
	}
}

static void check_lists(void)
{
	static const struct {
		const char *patterns;
		const char *path;
		bool matches;
	} rows[] = {
		{"", "/bin/sh", false},
		{",", "/bin/sh", false},
		{"sh", "/bin/sh", true},
		{"bash,sh", "/bin/sh", true},
		{"bash,,sh,", "/bin/sh", true},
		{"bash,dash", "/bin/sh", false},
		{"s*", "/sbin/init", false},
		{"/bin/*", "/bin/sh", true},
		{"/bin/*", "/usr/bin/sh", false},
		{"*/bin/*", "/usr/bin/sh", true},
		{"*", "", true},
	};

	for (size_t i = 0; i < ARRAY_LENGTH(rows); i++) {
		char what[64];
		(void)snprintf(what, sizeof what, "'%s' and '%s'", rows[i].patterns, rows[i].path);
		ok(pattern_list_match(text_of(rows[i].patterns), text_of(rows[i].path)) == rows[i].matches, what);
	}
}

/* Matching a pattern with many stars takes no more steps than the product of the lengths. */
static void check_time(void)
{
	static char subject[20000];
	char pattern[129];

	memset(subject, 'a', sizeof subject);
	for (size_t i = 0; i < sizeof pattern - 1; i++)
		pattern[i] = i % 2 == 0 ? 'a' : '*';
	pattern[sizeof pattern - 1] = 'b';
	ok(!pattern_match((struct text){pattern, sizeof pattern}, (struct text){subject, sizeof subject}),
		"64 stars in a pattern that does not match");
}

int main(void)
{
	check_match();
	check_lists();
	check_time();
	return done();
}
