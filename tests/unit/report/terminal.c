/* SPDX-License-Identifier: Apache-2.0 */
/* Tests of report/say/terminal.h and report/say/utf8.h: texts of a job on a terminal. */
#include "report/say/terminal.h"

#include "core/number.h"
#include "report/say/utf8.h"
#include "tests/unit/lib/tap.h"

#include <stdlib.h>

static const struct terminal plain = {.width = 80};
static const struct terminal latin = {.width = 80, .live = true};
static const struct terminal utf8 = {.width = 80, .live = true, .utf8 = true};

/* Returns the bytes that are sent to a terminal for a text, valid until the next call. */
static const char *shown(const struct terminal *terminal, const char *text, unsigned width, unsigned pad)
{
	static char *seen;
	size_t length;
	struct terminal open = *terminal;
	free(seen);
	open.out = open_memstream(&seen, &length);
	terminal_text(&open, text, width, pad);
	fclose(open.out);
	return seen;
}

static void texts(void)
{
	is_text(shown(&plain, "a b", 10, 0), "a b", "a text that fits is unchanged");
	is_text(shown(&plain, "a b", 10, 5), "a b  ", "a short text is padded");
	is_text(shown(&plain, "0123456789", 10, 0), "0123456789", "a text that just fits is unchanged");
	is_text(shown(&plain, "0123456789x", 10, 0), "0123456...", "a longer one is cut and marked");
	is_text(shown(&utf8, "0123456789x", 10, 0), "012345678…", "in UTF-8, the mark is one character");
	is_text(shown(&utf8, "0123", 0, 0), "", "without room nothing is shown, not even the mark");
	is_text(shown(&plain, "0123", 2, 0), "..", "the mark is at most as wide as the room");
	is_text(shown(&plain, "", 10, 3), "   ", "an empty text is only padded");
	is_text(shown(&utf8, "日本日本日本", 12, 0), "日本日本日本", "wide characters take two columns");
	is_text(shown(&utf8, "日本日本日本", 11, 0), "日本日本日…", "fewer wide characters fit");
	is_text(shown(&utf8, "日本日本日本", 10, 10), "日本日本… ", "no wide character is split");
	is_text(shown(&utf8, "e\u0301e\u0301e\u0301", 3, 0), "e\u0301e\u0301e\u0301", "an accent takes no column");
	is_text(shown(&latin, "é", 10, 0), "\\xc3\\xa9",
		"characters that the terminal cannot show are written as bytes");
}

static void hostile(void)
{
	is_text(shown(&utf8, "a\033[2Jb\n\r\t\177", 80, 0), "a\\x1b[2Jb\\n\\r\\t\\x7f",
		"control characters are escaped");
	is_text(shown(&utf8, "\302\233\u202e\u200b\u2066\ufeff", 80, 0),
		"\\xc2\\x9b\\xe2\\x80\\xae\\xe2\\x80\\x8b\\xe2\\x81\\xa6\\xef\\xbb\\xbf",
		"control characters beyond ASCII, direction marks and invisible ones are escaped");
	is_text(shown(&utf8, "\xff\xc0\xaf\xed\xa0\x80\xf4\x90\x80\x80\xe2\x82", 80, 0),
		"\\xff\\xc0\\xaf\\xed\\xa0\\x80\\xf4\\x90\\x80\\x80\\xe2\\x82", "invalid UTF-8 is written as bytes");
	is_text(shown(&plain, "ab\001c", 6, 0), "ab...", "an escape is never split");
}

static bool is_cut_to(const char *text, size_t most, size_t length)
{
	return utf8_cut(text_of(text), most).length == length;
}

static void cut(void)
{
	ok(is_cut_to("abc", 3, 3) && is_cut_to("abcd", 3, 3) && is_cut_to("", 0, 0),
		"a text is cut to its size in bytes");
	ok(is_cut_to("aéb", 2, 1) && is_cut_to("aéb", 3, 3) && is_cut_to("😀😀", 7, 4), "no character is split");
	ok(is_cut_to("\x80\x80\x80\x80\x80\x80", 5, 5), "invalid bytes are cut anywhere");
}

static bool is_in_json(const char *text, size_t at, const char *piece)
{
	return strcmp(utf8_in_json(text_of(text), at).text, piece) == 0;
}

static void in_json(void)
{
	ok(is_in_json("aé", 0, "a") && is_in_json("aé", 1, "é"), "a character for JSON");
	ok(is_in_json("\"", 0, "\\\"") && is_in_json("\\", 0, "\\\\") && is_in_json("\n", 0, "\\u000a"),
		"characters that JSON escapes");
	ok(is_in_json("\302\233", 0, "\\u009b") && is_in_json("\u202e", 0, "\\u202e"),
		"characters that a terminal would obey");
	ok(is_in_json("\U000e0041", 0, "\\udb40\\udc41"), "a character above U+FFFF as a pair");
	ok(is_in_json("\xff", 0, "\ufffd") && utf8_in_json(text_of("\xc3("), 0).length == 1,
		"a byte that is not a character");
}

static void characters(void)
{
	static const struct {
		const char *text;
		size_t length;
		uint32_t code;
	} cases[] = {{"a", 1, 'a'}, {"\303\251", 2, 0xe9}, {"\342\202\254", 3, 0x20ac},
		{"\360\237\230\200", 4, 0x1f600}, {"\364\217\277\277", 4, 0x10ffff}, {"\200", 0, 0}, {"\300\200", 0, 0},
		{"\340\200\257", 0, 0}, {"\355\277\277", 0, 0}, {"\364\220\200\200", 0, 0},
		{"\370\210\200\200\200", 0, 0}, {"\342\202", 0, 0}, {"\303", 0, 0}};
	for (size_t i = 0; i < ARRAY_LENGTH(cases); i++) {
		uint32_t code = 0;
		size_t length = utf8_decode(cases[i].text, &code);
		ok(length == cases[i].length && (length == 0 || code == cases[i].code),
			"a character, or an invalid byte");
	}
}

static const char *line(const double *values, size_t rows, bool peaks, unsigned width)
{
	static char *seen;
	size_t length;
	struct terminal open = utf8;
	double *copy = malloc((rows + 1) * sizeof *copy);
	if (!copy)
		return NULL;
	memcpy(copy, values, rows * sizeof *copy);
	free(seen);
	open.out = open_memstream(&seen, &length);
	terminal_sparkline(&open, copy, rows, peaks, width);
	fclose(open.out);
	free(copy);
	return seen;
}

static void sparklines(void)
{
	is_text(line((double[]){0, 1, 4, 8}, 4, false, 10), "▁▂▅█", "one block per row; the largest is full");
	is_text(line((double[]){0, 0}, 2, false, 10), "▁▁", "0 is the lowest block");
	is_text(line((double[]){1, UNKNOWN, 1}, 3, false, 10), "█ █", "unknown is a gap");
	is_text(line((double[]){0, 8, 4, 4}, 4, false, 2), "██", "with more rows than columns: means");
	is_text(line((double[]){0, 8, 4, 4}, 4, true, 2), "█▅", "with more rows than columns: peaks");
	is_text(line((double[]){-5, 1e308}, 2, false, 2), "▁█", "odd values do no harm");
	is_text(line((double[]){UNKNOWN}, 1, false, 10), " ", "only unknown values");
}

static void figures(void)
{
	is_text(terminal_count(1234567).text, "1,234,567", "thousands");
	is_text(terminal_count(999).text, "999", "less than a thousand");
	is_text(terminal_count(-1000).text, "-1,000", "a negative count");
	is_text(terminal_count(UNKNOWN).text, "-", "an unknown count");
	is_text(terminal_count(1e300).text, "-", "an absurd count");
	is_text(terminal_figure(UNIT_mib, UNKNOWN).text, "-", "an unknown figure");
	is_text(terminal_figure(UNIT_mib, 2048).text, "2 GiB", "a figure in a suitable unit");
	is_text(terminal_duration(UNKNOWN).text, "-", "an unknown duration");
	is_text(terminal_duration(0.0504).text, "50 ms", "a short duration");
	is_text(terminal_duration(93784).text, "1 d 2 h", "a long duration");
	static const struct {
		double seconds;
		const char *text;
	} durations[] = {{0, "0 ms"}, {0.0004, "0.4 ms"}, {0.006, "6 ms"}, {0.4, "400 ms"}, {0.9997, "1 s"},
		{9.996, "10 s"}, {59.94, "59.9 s"}, {59.96, "1 min"}, {119.6, "2 min"}, {3599.4, "59 min 59 s"},
		{3599.9, "1 h"}, {3659, "1 h 1 min"}, {7199, "2 h"}, {86369, "23 h 59 min"}, {86399.6, "1 d"},
		{91000, "1 d 1 h"}, {2592000, "30 d"}};
	for (size_t i = 0; i < ARRAY_LENGTH(durations); i++)
		is_text(terminal_duration(durations[i].seconds).text, durations[i].text,
			"rounding to the shown digits");
}

int main(void)
{
	texts();
	hostile();
	characters();
	cut();
	in_json();
	sparklines();
	figures();
	return done();
}
