/* SPDX-License-Identifier: Apache-2.0 */
/* Lines of code as a flame graph, in the file format of speedscope (https://www.speedscope.app), which Perfetto and
 * other viewers read as well. */
#ifndef RTRACK_REPORT_FLEET_SPEEDSCOPE_H
#define RTRACK_REPORT_FLEET_SPEEDSCOPE_H

#include "report/spool/run.h"

#include <zlib.h>

/* Writes two profiles, of CPU time and of growth of memory, with the rows of each process in the order of time. */
void speedscope_write(gzFile out, const struct run *run);

#endif
