/* SPDX-License-Identifier: Apache-2.0 */
/* Parses a point in time that a user typed. */
#define _GNU_SOURCE
#include "report/say/moment.h"

#include "core/number.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

/* Parses an age such as "7d". Stores the time that was so long ago. */
static int read_age(const char *value, double *time_value)
{
	static const struct {
		char unit;
		double seconds;
	} units[] = {{'s', 1}, {'m', 60}, {'h', 3600}, {'d', 86400}, {'w', 604800}};
	struct text digits = text_of(value);
	uint64_t count;

	if (digits.length < 2)
		return -1;
	digits.length--;
	if (number_read_unsigned(digits, &count) != 0)
		return -1;
	for (size_t i = 0; i < ARRAY_LENGTH(units); i++) {
		if (value[digits.length] == units[i].unit) {
			struct timespec now;
			clock_gettime(CLOCK_REALTIME, &now);
			*time_value = (double)now.tv_sec + (double)now.tv_nsec / 1e9 - (double)count * units[i].seconds;
			return 0;
		}
	}
	return -1;
}

/* Converts a date to a time. Rejects a date such as 31 February, which timegm changes to 3 March, and a time with a
 * second of 60. */
static int time_of(const struct tm *date, bool utc, double *time_value)
{
	struct tm tm = *date;

	tm.tm_isdst = -1; /* mktime finds out whether it is summer time. */
	time_t time = utc ? timegm(&tm) : mktime(&tm);

	if (tm.tm_mday != date->tm_mday || tm.tm_sec != date->tm_sec)
		return -1;
	*time_value = (double)time;
	return 0;
}

/* Returns whether a text is a space and the name of the reader's time zone. */
static bool is_own_zone(const char *text)
{
	tzset();
	return text[0] == ' ' && text[1] != '\0' &&
	       (strcmp(text + 1, tzname[0]) == 0 || strcmp(text + 1, tzname[1]) == 0);
}

/* Parses a date, which may end with a time zone. The separator before the time may be a space or a T, because reports
 * print both. A space is first replaced by a T, because a space in a strptime format would also match an empty
 * string. */
static int read_date(const char *value, bool utc, double *time_value)
{
	enum { DAY_LENGTH = sizeof "2026-11-21" - 1, ZONE_MOST = 16 };
	static const char *const formats[] = {"%Y-%m-%d", "%Y-%m-%dT%H:%M", "%Y-%m-%dT%H:%M:%S"};
	char text[sizeof "2026-11-21 18:30:05 " + ZONE_MOST];

	if (snprintf(text, sizeof text, "%s", value) >= (int)sizeof text)
		return -1;
	if (strlen(text) > DAY_LENGTH && text[DAY_LENGTH] == ' ' && isdigit((unsigned char)text[DAY_LENGTH + 1]))
		text[DAY_LENGTH] = 'T';
	for (size_t i = 0; i < ARRAY_LENGTH(formats); i++) {
		struct tm tm = {0};
		const char *end = strptime(text, formats[i], &tm);
		bool marked = end && (strcmp(end, "Z") == 0 || strcmp(end, " UTC") == 0);
		if (end && (*end == '\0' || marked || is_own_zone(end)))
			return time_of(&tm, utc || marked, time_value);
	}
	return -1;
}

int moment_read(const char *value, bool utc, double *time_value)
{
	return read_age(value, time_value) == 0 ? 0 : read_date(value, utc, time_value);
}
