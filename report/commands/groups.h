/* SPDX-License-Identifier: Apache-2.0 */
/* Groups of --group, and the group of a rank. */
#ifndef RTRACK_REPORT_COMMANDS_GROUPS_H
#define RTRACK_REPORT_COMMANDS_GROUPS_H

#include "report/model/group.h"
#include "report/commands/options.h"

/* Reads the group `id` from the spools that the options name, or else from `spool`, so that whole_make can make a model
 * of it. Returns 0, or -1 after a message. */
int groups_read(struct group *group, const struct options *options, const char *id, const char *spool,
	const struct model_wish *wish);

/* Whether a run is one of several ranks. Ranks share their machine, and tools take memory requests by machine. */
bool groups_is_rank(const struct run *run);

/* Reads the group of a rank, and earlier groups, from these spools, or else from its own. Returns 0, or -1. */
int groups_read_of_rank(
	struct group *group, const struct run *run, const char *const *names, size_t count, size_t earlier);

#endif
