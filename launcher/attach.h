/* SPDX-License-Identifier: Apache-2.0 */
/* rtrack-run --attach: samples a running process. */
#ifndef RTRACK_LAUNCHER_ATTACH_H
#define RTRACK_LAUNCHER_ATTACH_H

#include "launcher/options.h"

/* Records the process options->attach and its descendants until they have ended or a signal ends this process. Returns
 * 0, or -1 after printing a message. `directory` (SPOOL_PATH_MAX bytes) receives the run's directory; it is empty if
 * the run was shorter than RTRACK_MIN_SECONDS. */
int attach_follow(const struct options *options, char *directory);

#endif
