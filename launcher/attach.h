/* rtrack-run --attach: follows a process that runs already. */
#ifndef RTRACK_LAUNCHER_ATTACH_H
#define RTRACK_LAUNCHER_ATTACH_H

#include "launcher/options.h"

/* Records the process options->attach and all that it starts, from now until they have ended or a signal ends this one.
 * Returns 0, or -1 after a message. `directory` (SPOOL_PATH_MAX) is the run's then; empty: there is none, since it was
 * shorter than RTRACK_MIN_SECONDS. */
int attach_follow(const struct options *options, char *directory);

#endif
