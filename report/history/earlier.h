/* SPDX-License-Identifier: Apache-2.0 */
/* The earlier groups of a group's job. */
#ifndef RTRACK_REPORT_HISTORY_EARLIER_H
#define RTRACK_REPORT_HISTORY_EARLIER_H

#include "report/model/group.h"

/* Fills `earlier`: groups of the same job, that is with this job at their lowest rank, in the same spools, which began
 * before and are over; back to as many as `wish` has that finished, and as many again that did not, at most. They are
 * added up out of their runs' digests (use_add). A script has none. Returns as group_read. */
int group_find_earlier(struct group *group, const struct group_wish *wish, const struct spools *spools);

#endif
