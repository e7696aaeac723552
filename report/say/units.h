/* SPDX-License-Identifier: Apache-2.0 */
/* Formats values for people: three significant digits and a suitable unit. */
#ifndef RTRACK_REPORT_SAY_UNITS_H
#define RTRACK_REPORT_SAY_UNITS_H

#include "core/base.h"

enum unit {
	UNIT_cpus,
	UNIT_gpus,
	UNIT_count,
	UNIT_percent,
	UNIT_share, /* fraction of 1, shown in per cent */
	UNIT_mib,
	UNIT_gb,
	UNIT_rate,
	UNIT_bytes,
	UNIT_wh,
	UNIT_seconds,
	UNIT_yes_no,
	UNIT_COUNT
};

/* Names of the units; report/page/assets/units.js has those of charts. */
extern const char *const unit_names[UNIT_COUNT];

struct figure {
	char text[48];
};

/* Formats "3.1 GiB" or "0.0004". A nonzero value down to a millionth is never shown as "0". "–" for UNKNOWN. */
struct figure units_figure(enum unit unit, double value);

/* Formats 0.34 as "34 %", without decimals. "–" for UNKNOWN. */
struct figure units_whole_percent(double share);

/* Formats "5,002", without decimals. "–" for UNKNOWN. */
struct figure units_count(double value);

/* Formats "12 min 3 s", "1 h 5 min" or "6 ms", rounded to the smaller unit. "–" for UNKNOWN. */
struct figure units_duration(double seconds);

/* Like units_duration with a single unit, for narrow columns: "12.1 min", "1.08 h". */
struct figure units_brief(double seconds);

/* Like units_brief for a process lifetime, which is a difference of two timestamps in milliseconds: equal timestamps
 * yield "under 1 ms". */
struct figure units_lived(double seconds);

/* Formats GiB-hours or CPU-hours without the unit, for a narrow column: "0.040", "12.3", "5120". Nonzero amounts below
 * 0.0005 are "~0". "–" for UNKNOWN. */
struct figure units_hours(double hours);

/* Formats "0.0123 USD": three significant digits, and at least two decimals. */
struct figure units_money(double amount, const char *currency);

/* Formats "2026-11-21 01:56:00 UTC", or with `machine` the value of <time datetime>. "–" for UNKNOWN. */
struct figure units_time(double seconds, bool machine);

/* Like snprintf at the end of `text`, a string in an array of `size` bytes. What exceeds the array is cut off. */
void units_append(char *text, size_t size, const char *format, ...) __attribute__((format(printf, 3, 4)));

#endif
