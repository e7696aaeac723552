/* SPDX-License-Identifier: Apache-2.0 */
/* Moments as a person writes them: how long ago, or a date. */
#ifndef RTRACK_REPORT_SAY_MOMENT_H
#define RTRACK_REPORT_SAY_MOMENT_H

/* Reads "90s", "30m", "24h", "7d" or "4w" ago, or a date in UTC, as every time that is shown, as seconds since the
 * epoch: "2026-11-21", "2026-11-21 18:30" or "…:05", with a T for the space or not, and with "Z" or " UTC" behind it or
 * not. Returns 0, or -1 where it is neither. */
int moment_read(const char *value, double *time_value);

#endif
