/* SPDX-License-Identifier: Apache-2.0 */
/* Formats values with units for users.
 *
 * Sizes are shown in powers of 1024 (MiB, GiB), because memory is requested in these units. Bytes on disks and networks
 * use the same units, so that a reader can compare them with memory. report/page/assets/units.js follows the same
 * rules.
 */
#include "report/say/units.h"

#include "core/number.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

/* Bytes of the unit of columns such as disk_space_used_gb, and of the unit in which they are shown. */
static const double GB = 1e9, GIB = 1073741824;

struct family {
	double base; /* factor between a unit and the next, or 0 if there is only one unit */
	const char *names[5];
};

static const struct family families[UNIT_COUNT] = {
	[UNIT_cpus] = {0, {""}},
	[UNIT_gpus] = {0, {""}},
	[UNIT_count] = {0, {""}},
	[UNIT_percent] = {0, {"%"}},
	[UNIT_share] = {0, {"%"}},
	[UNIT_mib] = {1024, {"MiB", "GiB", "TiB", "PiB"}},
	[UNIT_gb] = {1024, {"GiB", "TiB", "PiB"}},
	[UNIT_rate] = {1024, {"B/s", "KiB/s", "MiB/s", "GiB/s", "TiB/s"}},
	[UNIT_bytes] = {1024, {"B", "KiB", "MiB", "GiB", "TiB"}},
};

const char *const unit_names[UNIT_COUNT] = {
	[UNIT_cpus] = "cpus",
	[UNIT_gpus] = "gpus",
	[UNIT_count] = "count",
	[UNIT_percent] = "percent",
	[UNIT_share] = "share",
	[UNIT_mib] = "mib",
	[UNIT_gb] = "gb",
	[UNIT_rate] = "rate",
	[UNIT_bytes] = "bytes",
	[UNIT_wh] = "wh",
	[UNIT_seconds] = "seconds",
	[UNIT_yes_no] = "yes_no",
};

/* Returns the number of decimals for a value. If a value would be rounded to 0.000, it has one significant digit, but
 * at most 6 decimals. */
static int decimals_of(double size)
{
	enum { MOST = 6 };

	if (size > 0 && size < 0.0005)
		return (int)fmin(MOST, -floor(log10(size)));
	return size >= 100 ? 0 : size >= 10 ? 1 : size > 0 && size < 0.1 ? 3 : 2;
}

static void write_short(struct figure *figure, double value)
{
	int digits = decimals_of(fabs(value));
	snprintf(figure->text, sizeof(figure->text), "%.*f", digits, value);
	if (digits == 0)
		return;
	size_t end = strlen(figure->text);
	while (figure->text[end - 1] == '0')
		end--;
	if (figure->text[end - 1] == '.')
		end--;
	figure->text[end] = '\0';
}

struct figure units_whole_percent(double share)
{
	struct figure figure = {"–"};

	if (number_known(share))
		snprintf(figure.text, sizeof figure.text, "%.0f %%", 100 * share);
	return figure;
}

struct figure units_count(double value)
{
	struct figure figure = {"–"};
	char digits[24];
	size_t used = 0;

	if (!(fabs(value) < 1e15))
		return figure;
	int length = snprintf(digits, sizeof digits, "%.0f", value);
	for (int i = 0; i < length; i++) {
		figure.text[used++] = digits[i];
		if (digits[i] != '-' && i + 1 < length && (length - i - 1) % 3 == 0)
			figure.text[used++] = ',';
	}
	figure.text[used] = '\0';
	return figure;
}

static struct figure energy_figure(double wh)
{
	struct figure figure = {"–"};
	const char *unit = wh < 1 ? "mWh" : wh < 1000 ? "Wh" : "kWh";
	double value = wh < 1 ? wh * 1000 : wh < 1000 ? wh : wh / 1000;

	if (number_known(wh))
		snprintf(figure.text, sizeof figure.text, "%.*f %s", value < 10 ? 2 : value < 100 ? 1 : 0, value, unit);
	return figure;
}

struct figure units_figure(enum unit unit, double value)
{
	if (unit == UNIT_seconds)
		return units_duration(value);
	if (unit == UNIT_wh)
		return energy_figure(value);
	if (unit == UNIT_yes_no)
		return value != 0 ? (struct figure){"yes"} : (struct figure){"no"};
	struct figure figure = {"–"};
	const struct family *family = &families[unit];
	if (!isfinite(value) || fabs(value) > 1e18)
		return figure;
	if (unit == UNIT_share)
		value *= 100;
	if (unit == UNIT_gb)
		value *= GB / GIB;
	if (unit == UNIT_count && fabs(value) >= 999.5)
		return units_count(value);
	size_t rank = 0;
	if (family->base > 0)
		while (rank + 1 < ARRAY_LENGTH(family->names) && family->names[rank + 1] &&
			fabs(value) >= family->base * 0.9995) {
			value /= family->base;
			rank++;
		}
	write_short(&figure, value);
	size_t length = strlen(figure.text);
	if (family->names[rank][0])
		snprintf(figure.text + length, sizeof(figure.text) - length, " %s", family->names[rank]);
	return figure;
}

struct figure units_range(enum unit unit, double least, double most)
{
	struct figure from = units_figure(unit, least), to = units_figure(unit, most), range;
	char *space = strchr(from.text, ' ');
	const char *other = strchr(to.text, ' ');

	if (space && other && strcmp(space, other) == 0)
		*space = '\0';
	snprintf(range.text, sizeof range.text, "%.20s–%.20s", from.text, to.text);
	return range;
}

struct figure units_ratio(double ratio)
{
	struct figure figure;

	snprintf(figure.text, sizeof figure.text, "%.*f", ratio >= 10 ? 0 : ratio >= 1 ? 1 : 2, ratio);
	return figure;
}

struct figure units_duration(double seconds)
{
	struct figure figure = {"–"};
	if (!isfinite(seconds) || seconds < 0 || seconds > 1e12)
		return figure;
	if (seconds < 0.9995) {
		bool tiny = seconds >= 0.00005 && seconds < 0.00095;
		snprintf(figure.text, sizeof(figure.text), "%.*f ms", tiny ? 1 : 0, seconds * 1000);
		return figure;
	}
	if (seconds < 59.95) {
		write_short(&figure, seconds < 10 ? seconds : round(seconds * 10) / 10);
		strcat(figure.text, " s");
		return figure;
	}
	/* Use two units, and round to the smaller one. If the result reaches the next larger unit, use that unit, so
	 * that 60 s is never shown. */
	static const struct {
		double lesser;
		unsigned count;
		const char *name, *lesser_name;
	} pairs[] = {{1, 60, "min", "s"}, {60, 60, "h", "min"}, {3600, 24, "d", "h"}};
	size_t pair = 0;
	while (pair + 1 < ARRAY_LENGTH(pairs) && round(seconds / pairs[pair].lesser) * pairs[pair].lesser >=
							 pairs[pair + 1].lesser * pairs[pair + 1].count)
		pair++;
	unsigned long long whole = (unsigned long long)round(seconds / pairs[pair].lesser);
	unsigned long long rest = whole % pairs[pair].count;
	snprintf(figure.text, sizeof(figure.text), "%llu %s", whole / pairs[pair].count, pairs[pair].name);
	if (rest > 0)
		units_append(figure.text, sizeof figure.text, " %llu %s", rest, pairs[pair].lesser_name);
	return figure;
}

struct figure units_brief(double seconds)
{
	static const struct {
		double seconds, most;
		const char *name;
	} units[] = {{60, 59.95, " min"}, {3600, 23.95, " h"}, {86400, INFINITY, " d"}};
	struct figure figure = units_duration(seconds);

	if (!(seconds >= 59.95 && seconds <= 1e12))
		return figure;
	size_t unit = 0;
	while (seconds >= units[unit].seconds * units[unit].most)
		unit++;
	write_short(&figure, seconds / units[unit].seconds);
	strcat(figure.text, units[unit].name);
	return figure;
}

struct figure units_lived(double seconds)
{
	return fabs(seconds) < 0.0005 ? (struct figure){"under 1 ms"} : units_duration(seconds);
}

struct figure units_hours(double hours)
{
	struct figure figure = {"–"};
	if (!isfinite(hours) || fabs(hours) > 1e15)
		return figure;
	if (hours > 0 && hours < 0.0005)
		return (struct figure){"~0"};
	snprintf(figure.text, sizeof(figure.text), "%.*f", hours < 10 ? 3 : hours < 1000 ? 1 : 0, hours);
	return figure;
}

struct figure units_money(double amount, const char *currency)
{
	struct figure figure = {"–"};
	if (!isfinite(amount) || fabs(amount) > 1e12)
		return figure;
	double size = fabs(amount);
	int digits = size > 0 && size < 1 ? 2 - (int)floor(log10(size)) : 2;
	if (digits > 12)
		digits = 12;
	int length = snprintf(figure.text, sizeof(figure.text), "%.*f", digits, amount);
	for (; digits > 2 && figure.text[length - 1] == '0'; digits--)
		length--;
	snprintf(figure.text + length, sizeof(figure.text) - (size_t)length, " %.8s", currency);
	return figure;
}

struct figure units_time(double seconds, bool machine)
{
	struct figure figure = {"–"};
	struct tm tm;
	if (!isfinite(seconds) || fabs(seconds) > 2e11)
		return figure;
	time_t whole = (time_t)floor(seconds);
	if (!gmtime_r(&whole, &tm))
		return figure;
	strftime(figure.text, sizeof(figure.text), machine ? "%Y-%m-%dT%H:%M:%SZ" : "%Y-%m-%d %H:%M:%S UTC", &tm);
	return figure;
}

void units_append(char *text, size_t size, const char *format, ...)
{
	size_t length = strlen(text);
	va_list arguments;

	va_start(arguments, format);
	(void)vsnprintf(text + length, size - length, format, arguments);
	va_end(arguments);
}
