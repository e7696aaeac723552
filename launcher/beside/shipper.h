/* rtrack-report ship --follow beside the command: it sends what the run records, as --ship or RTRACK_SHIP says.
 *
 * Neither the command nor the launcher's exit status depends on it: it has its own session, its output goes nowhere,
 * and the launcher waits for it no longer than --ship-wait after the command's end. What was not sent then is in
 * the spool, for the next `rtrack-report ship --all`. */
#ifndef RTRACK_LAUNCHER_SHIPPER_H
#define RTRACK_LAUNCHER_SHIPPER_H

#include "launcher/options.h"
#include "launcher/signals.h"

/* Starts it for the run in `directory`, if the options want it. Its pid; 0: there is none. */
pid_t shipper_start(const struct options *options, const struct signals *signals, const char *directory);

/* It has ended: reaps it, and ends what it had started. */
void shipper_reap(pid_t pid);

/* Tells it that the run is over, and waits until it ends, for so many seconds, or until a signal is sent to the
 * launcher. */
void shipper_finish(pid_t pid, double seconds);

#endif
