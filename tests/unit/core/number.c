/* SPDX-License-Identifier: Apache-2.0 */
/* Tests that numbers are written with the given number of digits, and read back unchanged, in any locale. */
#include "core/number.h"
#include "tests/unit/lib/tap.h"
#include "tests/unit/lib/texts.h"

#include <locale.h>
#include <stdlib.h>

static void check_written(void)
{
	static const struct {
		double value;
		unsigned digits;
		const char *text;
	} rows[] = {
		{0, 0, "0"},
		{0, 3, "0.000"},
		{1.5, 0, "2"},
		{2.5, 0, "3"},
		{-2.5, 0, "-3"},
		{0.125, 2, "0.13"},
		{-0.001, 2, "0.00"},
		{999.9996, 3, "1000.000"},
		{1763690160.123, 3, "1763690160.123"},
		{0.000001, 6, "0.000001"},
		{123456789012345.0, 0, "123456789012345"},
		{9e18, 0, "9000000000000000000"},
		{9.3e18, 0, ""},
		{9.3e9, 9, ""},
		{1, 10, ""},
		{UNKNOWN, 3, ""},
		{INFINITY, 0, ""},
		{-INFINITY, 0, ""},
	};

	for (size_t i = 0; i < ARRAY_LENGTH(rows); i++) {
		char space[NUMBER_LENGTH_MAX], what[64];
		struct buffer out = BUFFER(space);
		number_write(&out, rows[i].value, rows[i].digits);
		(void)snprintf(what, sizeof what, "%.17g with %u digits", rows[i].value, rows[i].digits);
		is_text(content(&out), rows[i].text, what);
	}
}

static void check_read(void)
{
	static const struct {
		const char *text;
		double value;
	} rows[] = {
		{"0", 0},
		{"007", 7},
		{"-1.5", -1.5},
		{"1.", 1},
		{"0.1", 0.1},
		{".5", 0.5},
		{"-.25e1", -2.5},
		{"1e3", 1000},
		{"1E+3", 1000},
		{"125e-3", 0.125},
		{"1763690160.123", 1763690160.123},
		{"123456789012345", 123456789012345.0},
		{"18446744073709551616", 18446744073709551616.0},
		{"0.000000000000000000000000001", 1e-27},
		{"1e400", INFINITY},
		{"-1e400", -INFINITY},
		{"1e-400", 0},
		{"0e999999999999", 0},
		{"", UNKNOWN},
	};

	for (size_t i = 0; i < ARRAY_LENGTH(rows); i++) {
		double value = 42;
		ok(number_read(text_of(rows[i].text), &value) == 0, rows[i].text);
		is_number(value, rows[i].value, rows[i].text);
	}
}

static void check_refused(void)
{
	static const char *const rows[] = {"-", "+1", ".", "-.", ".e5", "..5", "1.2.3", "1,5", " 1", "1 ", "1e", "1e+",
		"1e1.5", "0x10", "nan", "inf", "--1", "1-", "e5"};

	for (size_t i = 0; i < ARRAY_LENGTH(rows); i++) {
		double value = 42;
		ok(number_read(text_of(rows[i]), &value) == -1 && value == 42, rows[i]);
	}
}

static void check_unsigned(void)
{
	uint64_t value = 42;

	ok(number_read_unsigned(TEXT(""), &value) == -1, "an empty text is not a whole number");
	ok(number_read_unsigned(TEXT("-1"), &value) == -1, "a negative number is not a whole number");
	ok(number_read_unsigned(TEXT("1.0"), &value) == -1, "decimals are not a whole number");
	ok(number_read_unsigned(TEXT("18446744073709551616"), &value) == -1 && value == 42, "2^64 is too large");
	ok(number_read_unsigned(TEXT("18446744073709551615"), &value) == 0 && value == UINT64_MAX,
		"2^64 - 1 is not too large");
}

/* The C library must parse our text as the same number, and must format the number as the same text. */
static void check_against_the_c_library(void)
{
	unsigned wrong = 0;
	uint64_t state = 1;

	for (int i = 0; i < 200000; i++) {
		char ours[NUMBER_LENGTH_MAX], theirs[64];
		struct buffer out = BUFFER(ours);
		state = state * 6364136223846793005u + 1442695040888963407u;
		unsigned digits = (unsigned)(state >> 60) % 7;
		double value = (double)(int64_t)(state >> 20) / 1048576.0;
		double read = 0;
		number_write(&out, value, digits);
		(void)snprintf(theirs, sizeof theirs, "%.*f", (int)digits, value);
		/* A number halfway between two texts, or next to such a number, may be rounded differently, by at most
		 * one unit of the last digit. We never write a negative zero. */
		if (number_read((struct text){ours, out.length}, &read) != 0 ||
			fabs(read - strtod(theirs, NULL)) > pow(10, -(double)digits) + 1e-15 * fabs(value) ||
			(fabs(value) >= 1 && strlen(theirs) != out.length))
			wrong++;
	}
	is_number(wrong, 0, "200000 numbers are written as by printf, except for halves");
}

int main(void)
{
	(void)(setlocale(LC_ALL, "de_DE.UTF-8") || setlocale(LC_ALL, ""));
	check_written();
	check_read();
	check_refused();
	check_unsigned();
	(void)setlocale(LC_ALL, "C");
	check_against_the_c_library();
	return done();
}
