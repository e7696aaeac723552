/* SPDX-License-Identifier: Apache-2.0 */
/* Reports at the end of a run, --summary and --report, by running rtrack-report. */
#ifndef RTRACK_LAUNCHER_REPORTS_H
#define RTRACK_LAUNCHER_REPORTS_H

#include "launcher/options.h"
#include "launcher/signals.h"

/* Runs rtrack-report on the run in `directory` once for each requested report, with its output on stderr. */
void reports_run(const struct options *options, const struct signals *signals, const char *directory);

#endif
