/* SPDX-License-Identifier: Apache-2.0 */
/* Reads the earlier groups of a group's job. */
#ifndef RTRACK_REPORT_HISTORY_EARLIER_H
#define RTRACK_REPORT_HISTORY_EARLIER_H

#include "report/model/group.h"

/* Sets `earlier` to the groups in these spools whose lowest rank has the same job, and which began before this group
 * and have ended. Reads as many finished groups as `wish` asks for, and at most as many unfinished ones. Their figures
 * are sums over digests. A script has no earlier groups. Returns 0 or -1, as group_read. */
int group_find_earlier(struct group *group, const struct group_wish *wish, const struct spools *spools);

#endif
