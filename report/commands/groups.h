/* SPDX-License-Identifier: Apache-2.0 */
/* Reads the group that --group names, or the group to which a rank belongs. */
#ifndef RTRACK_REPORT_COMMANDS_GROUPS_H
#define RTRACK_REPORT_COMMANDS_GROUPS_H

#include "report/model/group.h"
#include "report/commands/options.h"

/* Reads the group `id` from the spools of the options, or from `spool` if the options have none. The result has
 * everything that whole_make needs. Returns 0, or -1 after a message. */
int groups_read(struct group *group, const struct options *options, const char *id, const char *spool,
	const struct model_wish *wish);

/* Returns whether a run is one of several ranks. Ranks share a machine, so their memory must be requested together. */
bool groups_is_rank(const struct run *run);

/* Reads the group of a rank and up to `earlier` groups of earlier runs, from the `count` spools `names`. If `count` is
 * 0, reads the spool of the rank. Returns 0, or -1. */
int groups_read_of_rank(
	struct group *group, const struct run *run, const char *const *names, size_t count, size_t earlier);

#endif
