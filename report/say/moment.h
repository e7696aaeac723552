/* SPDX-License-Identifier: Apache-2.0 */
/* Parses points in time as people write them: an age or a date. */
#ifndef RTRACK_REPORT_SAY_MOMENT_H
#define RTRACK_REPORT_SAY_MOMENT_H

/* Parses an age such as "90s", "30m", "24h", "7d" or "4w", or a UTC date, into seconds since the epoch. Dates are
 * "2026-11-21", "2026-11-21 18:30" or "2026-11-21 18:30:05", optionally with "T" for the space and with "Z" or " UTC"
 * at the end. Returns 0, or -1 if the value is neither. */
int moment_read(const char *value, double *time_value);

#endif
