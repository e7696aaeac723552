/* What rtrack-run shows of a run that has ended: --summary and --report, by way of rtrack-report. */
#ifndef RTRACK_LAUNCHER_REPORTS_H
#define RTRACK_LAUNCHER_REPORTS_H

#include "launcher/options.h"
#include "launcher/signals.h"

/* Runs rtrack-report on the run in `directory` once for each report that the options ask for, with its output on
 * stderr. */
void reports_run(const struct options *options, const struct signals *signals, const char *directory);

#endif
