/* SPDX-License-Identifier: Apache-2.0 */
/* The peak of each process, and its own bytes: what it adds to the memory of its tree.
 *
 * A fork begins with all that its parent has, and shares it until one of the two writes. Therefore the peaks of forks
 * do not add up, and their own bytes do. Of an object that they share, such as memory of MAP_SHARED, each has all pages
 * that it touched in its own bytes. This is the only place that assigns either. */
#ifndef RTRACK_REPORT_MODEL_OWN_BYTES_H
#define RTRACK_REPORT_MODEL_OWN_BYTES_H

#include "report/spool/processes.h"
#include "report/spool/run.h"

/* Fills peak_mib, own_mib, own_shared_mib, unknown_mib and forked of each process, and lacks_some. What member.csv says
 * counts if it has been read (processes_add_members). */
void own_bytes_find(struct processes *processes, const struct run *run);

#endif
