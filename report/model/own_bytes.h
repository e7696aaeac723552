/* SPDX-License-Identifier: Apache-2.0 */
/* The peak of each process, and its own bytes: the memory that it adds to its process tree.
 *
 * A fork begins with its parent's memory and shares each page until one of them writes to it. Peaks of forks therefore
 * do not add up, but own bytes do. Of a shared object such as a MAP_SHARED mapping, each process's own bytes include
 * all pages that it touched. No other file assigns either figure. */
#ifndef RTRACK_REPORT_MODEL_OWN_BYTES_H
#define RTRACK_REPORT_MODEL_OWN_BYTES_H

#include "report/spool/processes.h"
#include "report/spool/run.h"

/* Sets peak_mib, own_mib, own_shared_mib, unknown_mib and forked of each process, and lacks_some. Uses member.csv if
 * processes_add_members has read it. */
void own_bytes_find(struct processes *processes, const struct run *run);

#endif
