/* SPDX-License-Identifier: Apache-2.0 */
/* Describes a group as text and JSON: its machines, its ranks, and the ranks that stand out.
 *
 * Bars show CPU time. Of a large group, only ranks that stand out are listed. */
#ifndef RTRACK_REPORT_MODEL_GROUP_TOLD_H
#define RTRACK_REPORT_MODEL_GROUP_TOLD_H

#include "report/model/group.h"

/* Formats "4 runs on 2 machines; rank 2 is slow; rank 3 was killed; rank 4 left no run". */
void group_describe(const struct group *group, char *text, size_t size);

/* Adds the keys of a group, such as start_spread_seconds, imbalance, hosts and members. */
void group_write_json(const struct group *group, cJSON *json);

/* Formats "sort, awk, +2": the jobs by first start, and the number of runs that are not named. */
void group_name_script(const struct group *group, char *text, size_t size);

#endif
