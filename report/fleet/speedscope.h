/* Lines of code as a flame graph, in the file format of speedscope (https://www.speedscope.app), which Perfetto and
 * other viewers read as well. */
#ifndef RTRACK_REPORT_FLEET_SPEEDSCOPE_H
#define RTRACK_REPORT_FLEET_SPEEDSCOPE_H

#include "report/spool/run.h"

#include <zlib.h>

/* Two profiles, of CPU time and of the growth of memory; each process has its rows in the order of time. Returns 0, or
 * -1 with errno when there is no memory. */
int speedscope_write(gzFile out, const struct run *run);

#endif
