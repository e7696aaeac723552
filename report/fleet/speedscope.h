/* SPDX-License-Identifier: Apache-2.0 */
/* Code lines as a flame graph in the file format of speedscope (https://www.speedscope.app), which Perfetto and other
 * viewers also read. */
#ifndef RTRACK_REPORT_FLEET_SPEEDSCOPE_H
#define RTRACK_REPORT_FLEET_SPEEDSCOPE_H

#include "report/spool/run.h"

#include <zlib.h>

/* Writes two profiles: CPU time, and growth of memory. The rows of each process are in order of time. */
void speedscope_write(gzFile out, const struct run *run);

#endif
