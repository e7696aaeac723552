/* SPDX-License-Identifier: Apache-2.0 */
/* Tests of names in a spool: its path, the ids of runs, and the calendar that ids depend on. */
#include "core/spool.h"
#include "tests/unit/lib/tap.h"
#include "tests/unit/lib/texts.h"

#include <time.h>

static void check_directory(void)
{
	char state[] = "XDG_STATE_HOME=/state", home[] = "HOME=/home/u", odd_state[] = "XDG_STATE_HOME=state",
	     odd_home[] = "HOME=u", no_state[] = "XDG_STATE_HOME=";
	const struct {
		const char *what;
		const char *chosen;
		char *environment[3];
		const char *directory;
	} rows[] = {
		{"the path of the setting", "/chosen", {state, home}, "/chosen"},
		{"a relative path of the setting", "here/spool", {state, home}, "here/spool"},
		{"below XDG_STATE_HOME", "", {state, home}, "/state/rtrack"},
		{"below XDG_STATE_HOME, without a setting", NULL, {state, home}, "/state/rtrack"},
		{"below HOME", "", {home}, "/home/u/.local/state/rtrack"},
		{"below HOME, XDG_STATE_HOME being relative", "", {odd_state, home}, "/home/u/.local/state/rtrack"},
		{"below HOME, XDG_STATE_HOME being empty", "", {no_state, home}, "/home/u/.local/state/rtrack"},
		{"in /var/tmp, HOME being relative", "", {odd_home}, "/var/tmp/rtrack-1000"},
		{"in /var/tmp", "", {NULL}, "/var/tmp/rtrack-1000"},
	};

	for (size_t i = 0; i < ARRAY_LENGTH(rows); i++) {
		char space[SPOOL_PATH_MAX];
		struct buffer out = BUFFER(space);
		spool_directory(&out, rows[i].chosen, rows[i].environment, 1000);
		is_text(content(&out), rows[i].directory, rows[i].what);
	}
}

static bool same_as_the_c_library(int64_t seconds)
{
	char ours[32], theirs[32];
	struct buffer out = BUFFER(ours);
	struct tm parts;
	time_t time = (time_t)seconds;

	spool_write_time(&out, seconds);
	(void)gmtime_r(&time, &parts);
	(void)snprintf(theirs, sizeof theirs, "%04d%02d%02dT%02d%02d%02dZ", (parts.tm_year + 1900) % 10000,
		parts.tm_mon + 1, parts.tm_mday, parts.tm_hour, parts.tm_min, parts.tm_sec);
	if (strcmp(buffer_terminate(&out), theirs) == 0)
		return true;
	printf("# %lld: expected %s, seen %s\n", (long long)seconds, theirs, ours);
	return false;
}

static void check_time(void)
{
	const int64_t day = 86400;
	const int64_t end = 253402300799; /* 9999-12-31 23:59:59 */
	int wrong = 0;
	char space[32];
	struct buffer out = BUFFER(space);

	spool_write_time(&out, 1795226160);
	is_text(buffer_terminate(&out), "20261121T015600Z", "the example in the docs");
	for (int64_t seconds = 0; seconds <= end; seconds += day)
		wrong += !same_as_the_c_library(seconds) + !same_as_the_c_library(seconds + day - 1);
	is_number(wrong, 0, "the first and the last second of every day to the year 9999");
	for (int64_t seconds = 1709164800; seconds < 1709164800 + 3 * day; seconds++)
		wrong += !same_as_the_c_library(seconds);
	is_number(wrong, 0, "every second around the 29th of February");
}

static void check_id(void)
{
	static const struct {
		const char *host;
		int pid;
		uint16_t random;
		const char *id;
	} rows[] = {
		{"host", 1, 0, "20261121T015600Z-host-1-0000"},
		{"a.b-c_D9", 4194304, 0xffff, "20261121T015600Z-a.b-c_D9-4194304-ffff"},
		{"../e vil/\n\xc3\xa9", 7, 0x0a1b, "20261121T015600Z-.._e_vil____-7-0a1b"},
		{"", 7, 1, "20261121T015600Z-localhost-7-0001"},
		{"0123456789012345678901234567890123456789012345678901234567890123456789", 2147483647, 1,
			"20261121T015600Z-0123456789012345678901234567890123456789012345678901234567890123-2147483647-"
			"0001"},
	};

	for (size_t i = 0; i < ARRAY_LENGTH(rows); i++) {
		char space[SPOOL_ID_MAX];
		struct buffer out = BUFFER(space);
		spool_write_id(&out, 1795226160, text_of(rows[i].host), rows[i].pid, rows[i].random);
		is_text(buffer_terminate(&out), rows[i].id, rows[i].id);
		ok(!out.full, "the id fits");
		is_number(spool_id_pid(text_of(rows[i].id)), rows[i].pid, "the pid in the id is read back");
	}
}

static void check_no_id(void)
{
	static const char *const rows[] = {
		"", "-", "--", "run", "a-b", "a--b", "a-x-b", "a-99999999999-b", "a-2147483648-b", "a- 1-b", "a-1.5-b"};

	for (size_t i = 0; i < ARRAY_LENGTH(rows); i++)
		is_number(spool_id_pid(text_of(rows[i])), -1, rows[i]);
}

static void check_note(void)
{
	static const char *const wrong[] = {
		"", ":", "12345", "12345:", "12345:relative", ":/run", " 1:/run", "x 1:/run"};
	struct spool_note note;

	ok(spool_parse_note(TEXT("12345 4026531836:/spool/a:b c"), &note), "a note is read");
	is_number((double)note.start, 12345, "the note's start");
	is_number((double)note.namespace, 4026531836, "the note's namespace");
	ok(text_is(note.directory, "/spool/a:b c"), "the note's directory");
	ok(spool_parse_note(TEXT("12345:/run"), &note) && note.start == 12345 && note.namespace == 0,
		"a note without a namespace");
	for (size_t i = 0; i < ARRAY_LENGTH(wrong); i++)
		ok(!spool_parse_note(text_of(wrong[i]), &note), wrong[i]);
}

int main(void)
{
	check_directory();
	check_time();
	check_id();
	check_no_id();
	check_note();
	return done();
}
