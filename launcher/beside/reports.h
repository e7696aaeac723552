/* SPDX-License-Identifier: Apache-2.0 */
/* Shows reports at the end of a run, for --summary and --report, with rtrack-report. */
#ifndef RTRACK_LAUNCHER_REPORTS_H
#define RTRACK_LAUNCHER_REPORTS_H

#include "launcher/options.h"
#include "launcher/signals.h"

/* Runs rtrack-report once for each requested report of the run in `directory`. The output of rtrack-report goes to
 * stderr. */
void reports_run(const struct options *options, const struct signals *signals, const char *directory);

#endif
