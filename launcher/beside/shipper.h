/* SPDX-License-Identifier: Apache-2.0 */
/* rtrack-report ship --follow next to the command: sends the run's records to the target of --ship or RTRACK_SHIP.
 *
 * Neither the command nor the launcher's exit status depends on it: it has its own session, its output is discarded,
 * and the launcher waits for it at most --ship-wait after the command's end. Unsent records remain in the spool, for
 * the next `rtrack-report ship --all`. */
#ifndef RTRACK_LAUNCHER_SHIPPER_H
#define RTRACK_LAUNCHER_SHIPPER_H

#include "launcher/options.h"
#include "launcher/signals.h"

/* Starts the program for the run in `directory`, if the options request it. Returns its pid, or 0. */
pid_t shipper_start(const struct options *options, const struct signals *signals, const char *directory);

/* Reaps the program after its end, and kills its children. */
void shipper_reap(pid_t pid);

/* Tells the program that the run is over, and waits up to `seconds` for its end, or until the launcher gets a
 * signal. */
void shipper_finish(pid_t pid, double seconds);

#endif
