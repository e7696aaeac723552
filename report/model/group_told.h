/* SPDX-License-Identifier: Apache-2.0 */
/* What there is to say of a group beside the figures of a run: its machines, its ranks, and which of them stand out.
 *
 * Bars are of the CPU time. Of a large group only those ranks are listed that stand out. */
#ifndef RTRACK_REPORT_MODEL_GROUP_TOLD_H
#define RTRACK_REPORT_MODEL_GROUP_TOLD_H

#include "report/model/group.h"

/* "4 runs on 2 machines; rank 2 is slow; rank 3 was killed; rank 4 left no run" */
void group_describe(const struct group *group, char *text, size_t size);

/* Adds the keys of a group: start_spread_seconds, imbalance, hosts, members and so on. */
void group_write_json(const struct group *group, cJSON *json);

/* "sort, awk, +2": the jobs in the order of their first runs, and how many runs are of others. */
void group_name_script(const struct group *group, char *text, size_t size);

#endif
