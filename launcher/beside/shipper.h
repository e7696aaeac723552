/* SPDX-License-Identifier: Apache-2.0 */
/* Runs `rtrack-report ship --follow` next to the command. This program sends the run's records to the target of --ship
 * or RTRACK_SHIP.
 *
 * The program affects neither the command nor the exit status. It has its own session, and its output is discarded.
 * After the command's end, rtrack-run waits for the program no longer than --ship-wait. Unsent records remain in the
 * spool for the next `rtrack-report ship --all`. */
#ifndef RTRACK_LAUNCHER_SHIPPER_H
#define RTRACK_LAUNCHER_SHIPPER_H

#include "launcher/options.h"
#include "launcher/signals.h"

/* If the options request it, starts the program for the run in `directory`. Returns its pid, or 0. */
pid_t shipper_start(const struct options *options, const struct signals *signals, const char *directory);

/* Kills the children of the ended program, and reaps it. */
void shipper_reap(pid_t pid);

/* Requests that the program finishes, and waits up to `seconds` seconds for its end. A signal to rtrack-run ends the
 * wait. */
void shipper_finish(pid_t pid, double seconds);

#endif
