/* SPDX-License-Identifier: Apache-2.0 */
/* Call stacks in the collapsed format of flamegraph.pl and inferno: a line for each stack. */
#ifndef RTRACK_REPORT_FLEET_COLLAPSED_H
#define RTRACK_REPORT_FLEET_COLLAPSED_H

#include "report/spool/run.h"

#include <zlib.h>

/* Writes each stack as its frames, outermost first and separated by semicolons, then a blank and the CPU time in
 * microseconds. Processes of one program are merged. */
void collapsed_write(gzFile out, const struct run *run);

#endif
