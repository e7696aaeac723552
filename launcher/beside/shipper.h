/* SPDX-License-Identifier: Apache-2.0 */
/* Runs `rtrack-report ship --follow` next to the command, which sends the run's records to the target of --ship or
 * RTRACK_SHIP.
 *
 * It affects neither the command nor the exit status. It has its own session, its output is discarded, and rtrack-run
 * waits for it no longer than --ship-wait after the command's end. Records that were not sent remain in the spool, for
 * the next `rtrack-report ship --all`. */
#ifndef RTRACK_LAUNCHER_SHIPPER_H
#define RTRACK_LAUNCHER_SHIPPER_H

#include "launcher/options.h"
#include "launcher/signals.h"

/* If the options request it, starts the program for the run in `directory`. Returns its pid, or 0. */
pid_t shipper_start(const struct options *options, const struct signals *signals, const char *directory);

/* Kills the children of the ended program, and reaps it. */
void shipper_reap(pid_t pid);

/* Asks the program to finish, and waits for up to `seconds` for its end. A signal to rtrack-run ends the wait. */
void shipper_finish(pid_t pid, double seconds);

#endif
