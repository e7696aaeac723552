/* SPDX-License-Identifier: Apache-2.0 */
/* Formats values for users, with three significant digits and a suitable unit. */
#ifndef RTRACK_REPORT_SAY_UNITS_H
#define RTRACK_REPORT_SAY_UNITS_H

#include "core/base.h"

enum unit {
	UNIT_cpus,
	UNIT_gpus,
	UNIT_count,
	UNIT_percent,
	UNIT_share, /* fraction of 1, shown as a percentage */
	UNIT_mib,
	UNIT_gb, /* 10^9 bytes, shown in GiB */
	UNIT_rate,
	UNIT_bytes,
	UNIT_wh,
	UNIT_seconds,
	UNIT_yes_no,
	UNIT_COUNT
};

/* Names of the units. The charts of the page use the names in report/page/assets/units.js. */
extern const char *const unit_names[UNIT_COUNT];

struct figure {
	char text[48];
};

/* Formats a value, such as "3.1 GiB" or "0.0004". A nonzero value is never shown as "0" unless it is below a millionth.
 * UNKNOWN is shown as "–". */
struct figure units_figure(enum unit unit, double value);

/* Formats a range, such as "104–125 MiB" or "900 MiB–1.2 GiB". */
struct figure units_range(enum unit unit, double least, double most);

/* Formats a ratio with two digits, such as "0.45", "3.8" or "120". */
struct figure units_ratio(double ratio);

/* Formats a share without decimals, for example 0.34 as "34 %". UNKNOWN is shown as "–". */
struct figure units_whole_percent(double share);

/* Formats a number without decimals, such as "5,002". UNKNOWN is shown as "–". */
struct figure units_count(double value);

/* Formats a duration, such as "12 min 3 s", "1 h 5 min" or "6 ms". It is rounded to the smaller of two units. UNKNOWN
 * is shown as "–". */
struct figure units_duration(double seconds);

/* Like units_duration, but with a single unit for narrow columns, such as "12.1 min" or "1.08 h". */
struct figure units_brief(double seconds);

/* Like units_brief, but for the lifetime of a process, which is the difference of two timestamps in milliseconds. If
 * they are equal, the result is "under 1 ms". */
struct figure units_lived(double seconds);

/* Formats GiB-hours or CPU-hours for a narrow column, without the unit, such as "0.040", "12.3" or "5120". A nonzero
 * amount below 0.0005 is shown as "~0". UNKNOWN is shown as "–". */
struct figure units_hours(double hours);

/* Formats an amount of money, such as "0.0123 USD", with three significant digits and at least two decimals. */
struct figure units_money(double amount, const char *currency);

/* Formats a time, such as "2026-11-21 01:56:00 UTC". If `machine` is true, uses the format of the HTML attribute
 * datetime. UNKNOWN is shown as "–". */
struct figure units_time(double seconds, bool machine);

/* Like snprintf, but appends to the string `text`, which is in an array of `size` bytes. If the result is too long, it
 * is truncated. */
void units_append(char *text, size_t size, const char *format, ...) __attribute__((format(printf, 3, 4)));

#endif
