/* Runs without a process: root and sampler were killed. The next run of the same spool writes down that they are over,
 * since perhaps no command ever looks at them. */
#ifndef RTRACK_SAMPLER_RUN_LEFTOVER_H
#define RTRACK_SAMPLER_RUN_LEFTOVER_H

/* Completes a few runs of the spool in which the run `directory` is, as rtrack-report does (report/spool/ending.h).
 * Takes some 10 us where there is nothing to do. */
void run_complete_leftovers(const char *directory);

#endif
