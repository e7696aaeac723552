/* SPDX-License-Identifier: Apache-2.0 */
/* Runs whose root and sampler were both killed. The next run in the spool completes their records, because perhaps no
 * command ever reads the spool. */
#ifndef RTRACK_SAMPLER_RUN_LEFTOVER_H
#define RTRACK_SAMPLER_RUN_LEFTOVER_H

/* Completes a few runs in the spool of the run `directory`, as rtrack-report does (report/spool/ending.h). Takes about
 * 10 us if there is nothing to do. */
void run_complete_leftovers(const char *directory);

#endif
