/* SPDX-License-Identifier: Apache-2.0 */
/* The peak of each process, and its own bytes: the memory that the process adds to its process tree.
 *
 * A fork begins with the memory of its parent and shares each page until one of them writes to it. The peaks of
 * forks therefore must not be summed, but own bytes can be. The own bytes of a process include all pages of a shared
 * object (such as a MAP_SHARED mapping) that it touched. Only this file sets the two figures. */
#ifndef RTRACK_REPORT_MODEL_OWN_BYTES_H
#define RTRACK_REPORT_MODEL_OWN_BYTES_H

#include "report/spool/processes.h"
#include "report/spool/run.h"

/* Sets peak_mib, own_mib, own_shared_mib, unknown_mib and forked of each process, and processes->lacks_some. To use
 * member.csv, call processes_add_members first. */
void own_bytes_find(struct processes *processes, const struct run *run);

#endif
