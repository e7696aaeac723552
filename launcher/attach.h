/* SPDX-License-Identifier: Apache-2.0 */
/* rtrack-run --attach: samples a running process. */
#ifndef RTRACK_LAUNCHER_ATTACH_H
#define RTRACK_LAUNCHER_ATTACH_H

#include "launcher/options.h"

/* Tracks the process options->attach and its descendants until they have ended or a signal ends rtrack-run. Returns 0,
 * or -1 after printing a message. Stores the run's directory in `directory` (SPOOL_PATH_MAX bytes), or "" if the run
 * was shorter than RTRACK_MIN_SECONDS. */
int attach_follow(const struct options *options, char *directory);

#endif
