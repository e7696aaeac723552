/* SPDX-License-Identifier: Apache-2.0 */
/* Figures as a person reads them: three significant digits and a unit that fits. */
#ifndef RTRACK_REPORT_SAY_UNITS_H
#define RTRACK_REPORT_SAY_UNITS_H

#include "core/base.h"

enum unit {
	UNIT_cpus,
	UNIT_gpus,
	UNIT_count,
	UNIT_percent,
	UNIT_share, /* of 1, shown in per cent */
	UNIT_mib,
	UNIT_gb,
	UNIT_rate,
	UNIT_bytes,
	UNIT_wh,
	UNIT_seconds,
	UNIT_yes_no,
	UNIT_COUNT
};

/* The names of the units; report/page/assets/units.js has those of charts. */
extern const char *const unit_names[UNIT_COUNT];

struct figure {
	char text[48];
};

/* "3.1 GiB", "0.0004": what is not 0 is not "0", down to a millionth. "–" for UNKNOWN. */
struct figure units_figure(enum unit unit, double value);

/* "34 %", whole, of 0.34. "–" for UNKNOWN. */
struct figure units_whole_percent(double share);

/* "5,002", whole. "–" for UNKNOWN. */
struct figure units_count(double value);

/* "12 min 3 s", "1 h 5 min", "6 ms", rounded to the lesser unit; "–" for UNKNOWN. */
struct figure units_duration(double seconds);

/* The same with one unit, where there is no room for two: "12.1 min", "1.08 h". */
struct figure units_brief(double seconds);

/* The same of a life, which is the difference of two times in whole milliseconds: of two that are the same, "under 1
 * ms". */
struct figure units_lived(double seconds);

/* "0.040", "12.3", "5120": an amount of GiB-hours or CPU-hours without its unit, as wide as a column of them needs;
 * "~0" for what would be 0.000 and is not 0. "–" for UNKNOWN. */
struct figure units_hours(double hours);

/* "0.0123 USD": three significant digits, and at least two decimals. */
struct figure units_money(double amount, const char *currency);

/* "2026-11-21 01:56:00 UTC", and with `machine` as <time datetime> wants it. "–" for UNKNOWN. */
struct figure units_time(double seconds, bool machine);

#endif
