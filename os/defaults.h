/* SPDX-License-Identifier: Apache-2.0 */
/* The settings of the whole machine, in DEFAULTS_FILE. An administrator can thus choose the spool for jobs and for
 * rtrack-report in one place. The environment takes precedence over the file. */
#ifndef RTRACK_OS_DEFAULTS_H
#define RTRACK_OS_DEFAULTS_H

#include "core/settings.h"

#define DEFAULTS_FILE "/etc/rtrack.conf"
/* Maximum size of the file, and of its text with the expanded path of the spool. */
enum { DEFAULTS_FILE_MAX = 4096, DEFAULTS_TEXT_MAX = DEFAULTS_FILE_MAX + 1024 };

/* Reads DEFAULTS_FILE, and fills the settings that the environment leaves unset. In RTRACK_SPOOL, %u stands for the
 * name of the user, and %% for '%'. The settings point into `text` afterwards.
 *
 * Returns 0, or the number of the first line that is not a valid setting, which is ignored. If the whole file is
 * ignored, returns OS_ERROR_MISSING, OS_ERROR_NOT_OURS if it does not belong to root or others may write to it,
 * OS_ERROR_TOO_LARGE, or the error of opening it. */
int defaults_read(struct settings *settings, char *const *environment, char text[DEFAULTS_TEXT_MAX]);

#endif
