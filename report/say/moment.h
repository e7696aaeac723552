/* SPDX-License-Identifier: Apache-2.0 */
/* Parses a point in time that a user typed, either an age or a date. */
#ifndef RTRACK_REPORT_SAY_MOMENT_H
#define RTRACK_REPORT_SAY_MOMENT_H

#include <stdbool.h>

/* Parses an age or a date. Stores the result in seconds since the epoch. Ages are "90s", "30m", "24h", "7d" or "4w".
 * Dates are "2026-11-21", "2026-11-21 18:30" or "2026-11-21 18:30:05". A date may have "T" instead of the space. A date
 * is in the time zone of the reader, or in UTC if `utc` is true or the date ends with "Z" or " UTC". It may end with
 * the name of the reader's time zone, such as " CET". Returns 0, or -1 if the value is neither an age nor a date. */
int moment_read(const char *value, bool utc, double *time_value);

#endif
