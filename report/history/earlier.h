/* SPDX-License-Identifier: Apache-2.0 */
/* Reads the earlier groups of a group's job. */
#ifndef RTRACK_REPORT_HISTORY_EARLIER_H
#define RTRACK_REPORT_HISTORY_EARLIER_H

#include "report/model/group.h"

/* Finds earlier groups of the same job in these spools and stores them in `earlier`. These groups began before this
 * group and have ended. Earlier groups of a step of a Slurm job are the steps with the same number of earlier jobs. The
 * job of a group is the job of its lowest rank, or of the script of a Slurm job. Reads as many finished groups as
 * `wish` asks for, and at most as many unfinished ones. If `group` is the set of runs of a script, finds none. Returns
 * 0 or -1, like group_read. */
int group_find_earlier(struct group *group, const struct group_wish *wish, const struct spools *spools);

#endif
