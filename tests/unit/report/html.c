/* SPDX-License-Identifier: Apache-2.0 */
/* Tests of the parts of the page: escaped text, figures as text, hashes and thinned series. */
#include "report/say/hash.h"
#include "report/say/markup.h"
#include "report/page/downsample.h"
#include "report/say/units.h"

#include "core/number.h"
#include "tests/unit/lib/tap.h"

#include <stdlib.h>

/* Returns what `write` prints for `text`, valid until the next call. */
static const char *written(void (*write)(FILE *out, struct text text), const char *text)
{
	static char *seen;
	size_t length;
	free(seen);
	FILE *out = open_memstream(&seen, &length);
	write(out, text_of(text));
	fclose(out);
	return seen;
}

static void test_text(void)
{
	is_text(written(markup_write_text, "<a href=\"x\">&'"), "&lt;a href=&quot;x&quot;&gt;&amp;&#39;",
		"markup is escaped");
	is_text(written(markup_write_text, "naïve – 日本 😀"), "naïve – 日本 😀", "other characters are unchanged");
	is_text(written(markup_write_text, "\xff|\xc3|\xe9t\xe9"), "\\xff|\\xc3|\\xe9t\\xe9",
		"torn bytes are written as on a terminal");
	is_text(written(markup_write_text, "\xc0\xaf\xed\xa0\x80\xf4\x90\x80\x80"),
		"\\xc0\\xaf\\xed\\xa0\\x80\\xf4\\x90\\x80\\x80",
		"overlong forms, surrogates and code points above U+10FFFF are escaped");
	is_text(written(markup_write_text, "a\x01\x1b[31m\x7f\xc2\x9b"), "a\\x01\\x1b[31m\\x7f\\xc2\\x9b",
		"control characters are escaped");
	is_text(written(markup_write_text, "\u202e|\u2069|\u200b"), "\\xe2\\x80\\xae|\\xe2\\x81\\xa9|\\xe2\\x80\\x8b",
		"direction marks and invisible characters are escaped");
	is_text(written(markup_write_text, "\xe2<b>"), "\\xe2&lt;b&gt;", "a torn character does not swallow markup");
	is_text(written(markup_write_text, "a\n\tb"), "a\\n\\tb", "a newline is shown");
	is_text(written(markup_write_lines, "a<\n\nb\n\x1b"), "a&lt;\n\nb\n\\x1b", "a newline ends a line of a <pre>");
	is_text(written(markup_write_json, "</script>\"\\\n\xff"), "\"\\u003c/script>\\\"\\\\\\\\n\\\\xff\"",
		"JSON cannot end its element, and keeps its text");
}

static void test_points(void)
{
	static const double points[] = {10, 10, 11.5, NAN, 11, 9, 25, INFINITY, 1e6, -1e15};
	char *seen;
	size_t length;
	FILE *out = open_memstream(&seen, &length);

	markup_write_points(out, points, sizeof points / sizeof *points, 10, 0.5);
	fclose(out);
	is_text(seen, "\"AAG.BHgC.8ki6D/niu1pq/1xD\"", "differences in steps, with a point for unknown");
	free(seen);
}

/* A damaged cell must not cause undefined arithmetic. Values are limited to a huge number, and the points around a
 * damaged one are drawn where they belong. */
static void test_points_absurd(void)
{
	static const struct {
		double points[3];
		double step;
		const char *text;
	} rows[] = {
		{{-1e308, 5, 6}, 1, "\"//////////DqgggggggggEC\""},
		{{1e308, -1e308, 5}, 1, "\"ggggggggggE//////////HqgggggggggE\""},
		{{1, -1.7e308, 1.7e308}, 1, "\"ChgggggggggEggggggggggI\""},
		{{5, 1e300, 1e300}, 1e-300, "\"ggggggggggEAA\""},
		{{0, 0, 1}, 0, "\"//////////DAggggggggggI\""},
	};

	for (size_t i = 0; i < ARRAY_LENGTH(rows); i++) {
		char *seen;
		size_t length;
		FILE *out = open_memstream(&seen, &length);
		markup_write_points(out, rows[i].points, ARRAY_LENGTH(rows[i].points), 0, rows[i].step);
		fclose(out);
		is_text(seen, rows[i].text, rows[i].text);
		free(seen);
	}
}

static void test_points_repeated(void)
{
	static const double points[] = {5, 5, 5, 5, 5, 6, 7, NAN, NAN, NAN, NAN, NAN, 8, 8};
	char *seen;
	size_t length;
	FILE *out = open_memstream(&seen, &length);

	markup_write_points(out, points, sizeof points / sizeof *points, 5, 1);
	fclose(out);
	is_text(seen, "\"A~ICC.~ICA\"", "repeated values become a count");
	free(seen);
}

static void test_units(void)
{
	static const struct {
		enum unit unit;
		double value;
		const char *text;
	} rows[] = {
		{UNIT_cpus, 1.4249, "1.42"},
		{UNIT_cpus, 12.04, "12"},
		{UNIT_cpus, 0.0123, "0.012"},
		{UNIT_cpus, 0.162 / 403, "0.0004"},
		{UNIT_cpus, 0.000096, "0.0001"},
		{UNIT_cpus, -0.0004, "-0.0004"},
		{UNIT_cpus, 0.0000024, "0.000002"},
		{UNIT_cpus, 0.00000024, "0"},
		{UNIT_cpus, 0, "0"},
		{UNIT_mib, 3107, "3.03 GiB"},
		{UNIT_mib, 1023.9, "1 GiB"},
		{UNIT_mib, 12.5, "12.5 MiB"},
		{UNIT_bytes, 999, "999 B"},
		{UNIT_bytes, 1234567, "1.18 MiB"},
		{UNIT_rate, 2e9, "1.86 GiB/s"},
		{UNIT_gb, 494.1, "460 GiB"},
		{UNIT_percent, 99.96, "100 %"},
		{UNIT_count, 61, "61"},
		{UNIT_mib, UNKNOWN, "–"},
		{UNIT_mib, INFINITY, "–"},
	};
	for (size_t i = 0; i < ARRAY_LENGTH(rows); i++)
		is_text(units_figure(rows[i].unit, rows[i].value).text, rows[i].text, rows[i].text);
	is_text(units_duration(0.05).text, "50 ms", "milliseconds");
	is_text(units_duration(12.34).text, "12.3 s", "seconds");
	is_text(units_duration(59.97).text, "1 min", "a duration never shows 60 s");
	is_text(units_duration(723).text, "12 min 3 s", "minutes");
	is_text(units_duration(3599.7).text, "1 h", "hours");
	is_text(units_duration(1e6).text, "11 d 14 h", "days");
	is_text(units_brief(12.34).text, "12.3 s", "seconds with one unit");
	is_text(units_brief(59.97).text, "1 min", "a duration with one unit never shows 60 s");
	is_text(units_brief(723).text, "12.1 min", "minutes with one unit");
	is_text(units_brief(3599.7).text, "1 h", "a duration with one unit never shows 60 min");
	is_text(units_brief(1e6).text, "11.6 d", "days with one unit");
	is_text(units_lived(0).text, "under 1 ms", "a life between two equal times");
	is_text(units_lived(0.001).text, "1 ms", "a life between two different times");
	is_text(units_lived(UNKNOWN).text, "–", "a life with an unknown time");
	is_text(units_time(1795226400, false).text, "2026-11-21 02:00:00 UTC", "a time for people");
	is_text(units_time(1795226400.9, true).text, "2026-11-21T02:00:00Z", "a time for programs");
}

/* The expected digests are from sha256sum and base64 of coreutils. */
static void test_hash(void)
{
	char seen[HASH_BASE64_SIZE], bytes[120];
	memset(bytes, 'a', sizeof(bytes));
	hash_base64(TEXT(""), seen);
	is_text(seen, "47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=", "SHA-256 of nothing");
	hash_base64(TEXT("abc"), seen);
	is_text(seen, "ungWv48Bz+pBQUDeXa4iI7ADYaOWF3qctBD/YfIAFa0=", "SHA-256 of abc");
	hash_base64((struct text){bytes, 56}, seen);
	is_text(seen, "s1Q5pKxvCUi21vnjxq8PX1kM4g8b3nCQ73lwaG7Gc4o=", "one block, whose length needs a second one");
	hash_base64((struct text){bytes, 120}, seen);
	is_text(seen, "Lz0zVDLHC1gK8Ojhs2dKfAINaDql9zqq7f3FWvkEwhw=", "two blocks and a part");
}

static void test_thin_short(void)
{
	double a_times[] = {1, 2, 3}, a_values[] = {10, UNKNOWN, 30};
	double b_times[] = {1.01, 2, 3, 3.3}, b_values[] = {1, 4, 9, 9};
	double points[8];
	struct thin_source a = {a_times, a_values, 3, 0, 0, false, 0}, b = {b_times, b_values, 4, 1, 0.01, true, 9.5};
	struct thin_axis axis;
	thin_axis_make(&axis, &a, &b, 0.25);
	ok(axis.points == 4 && axis.width <= 0, "rows of both series are paired");
	thin_line(&axis, &a, 0.25, &(struct thin_line){.mean = points});
	ok(points[0] == 10 && !number_known(points[1]) && points[2] == 30 && !number_known(points[3]),
		"paired rows are unchanged");
	thin_line(&axis, &b, 0.25, &(struct thin_line){.mean = points});
	is_number(points[0], 1, "the first rate is since the start");
	is_number(points[1], 4 / 0.99, "a rate is since the previous row");
	is_number(points[3], 9.5, "the last rate is the source's");
	thin_axis_free(&axis);
}

/* A tick of milliseconds is merged with its neighbours, and the point is their mean over time. Values that belong to a
 * single moment are unchanged. */
static void test_thin_short_tick(void)
{
	double times[] = {0.05, 1, 1.1, 1.2, 2, 2.01}, values[] = {8, 1, 2, 3, 1, 8}, points[6];
	struct thin_source averaged = {times, values, 6, 0, 0, true, 2}, held = {times, values, 6, 0, 0, false, 0},
			   none = {0};
	struct thin_source one = {times, values, 1, 0, 0, true, 8};
	struct thin_axis axis;

	thin_axis_make(&axis, &averaged, &none, 0.25);
	ok(axis.points == 6, "as many points as rows");
	thin_line(&axis, &averaged, 0.25, &(struct thin_line){.mean = points});
	is_number(points[0], (8 * 0.05 + 1 * 0.95) / 1, "a short first tick has the mean of it and the next");
	is_number(points[1], points[0], "the next tick has the same mean");
	is_number(points[2], 2 * 0.1 + 3 * 0.1 + 1 * 0.8,
		"several short ticks share a mean until they cover an interval");
	is_number(points[4], points[2], "all short ticks have that mean");
	is_number(points[5], 2, "the last value is the source's");
	double area = 0, whole = 0;
	for (size_t i = 0; i < 5; i++) {
		double lasted = times[i] - (i > 0 ? times[i - 1] : 0);
		area += points[i] * lasted;
		whole += values[i] * lasted;
	}
	is_number(area, whole, "the area below the line is unchanged");
	is_number(thin_summarize(&averaged).peak, 8, "a peak in a short tick remains");
	values[0] = 1;
	is_number(thin_summarize(&averaged).peak, 3, "a peak in the last short tick does not remain");
	is_number(thin_summarize(&averaged).mean, (1 * 1 + 2 * 0.1 + 3 * 0.1 + 1 * 0.8 + 8 * 0.01) / 2.01,
		"the mean is of all ticks");
	values[0] = 8;
	thin_line(&axis, &held, 0.25, &(struct thin_line){.mean = points});
	ok(points[0] == 8 && points[2] == 2 && points[5] == 8, "values at a moment are unchanged");
	thin_axis_free(&axis);
	thin_axis_make(&axis, &one, &none, 0.25);
	ok(axis.points == 1, "one row");
	thin_line(&axis, &one, 0.25, &(struct thin_line){.mean = points});
	is_number(points[0], 8, "a single tick is unchanged");
	thin_axis_free(&axis);
}

/* Every peak and dip of a long series is in its envelope, near its time, and the line is the mean. */
static void test_thin_long(void)
{
	enum { ROWS = 50000 };
	double *times = calloc(ROWS, sizeof(*times)), *values = calloc(ROWS, sizeof(*values));
	double means[THIN_BUCKETS], least[THIN_BUCKETS], greatest[THIN_BUCKETS];
	for (size_t i = 0; i < ROWS; i++) {
		times[i] = (double)i;
		values[i] = 5;
	}
	values[0] = 7;
	values[31234] = 100;
	values[41235] = -100;
	values[ROWS - 1] = 8;
	struct thin_source source = {times, values, ROWS, 0, -1, false, 0}, none = {0};
	struct thin_axis axis;
	thin_axis_make(&axis, &source, &none, 0.25);
	ok(axis.points == THIN_BUCKETS, "thinned");
	thin_line(&axis, &source, 0.25, &(struct thin_line){means, least, greatest});
	size_t peak = 0, dip = 0, ordered = 0;
	for (size_t i = 0; i < THIN_BUCKETS; i++) {
		peak = greatest[i] > greatest[peak] ? i : peak;
		dip = least[i] < least[dip] ? i : dip;
		ordered += least[i] <= means[i] && means[i] <= greatest[i];
	}
	is_number(greatest[peak], 100, "the peak is kept");
	is_number(least[dip], -100, "the dip is kept");
	ok(fabs(axis.times[peak] - 31234) <= axis.width, "the peak is at its time");
	ok(fabs(axis.times[dip] - 41235) <= axis.width, "the dip is at its time");
	ok(ordered == THIN_BUCKETS, "every mean is within the envelope");
	is_number(means[1], 5, "the mean of a bucket");
	ok(means[peak] > 6.8 && means[peak] < 7, "one peak among 50 ticks has its weight in the mean");
	ok(greatest[0] == 7 && greatest[THIN_BUCKETS - 1] == 8, "both ends are kept");
	is_number(thin_summarize(&source).peak, 100, "the summary uses all rows");
	thin_axis_free(&axis);
	free(times);
	free(values);
}

int main(void)
{
	test_text();
	test_points();
	test_points_absurd();
	test_points_repeated();
	test_units();
	test_hash();
	test_thin_short();
	test_thin_short_tick();
	test_thin_long();
	return done();
}
