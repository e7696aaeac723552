/* A --group as a command wants it. */
#ifndef RTRACK_REPORT_COMMANDS_GROUPS_H
#define RTRACK_REPORT_COMMANDS_GROUPS_H

#include "report/model/group.h"
#include "report/commands/options.h"

/* Reads the group `id` out of the spools that the options name, or else `spool`, so that a model can be made of it
 * (group_whole.h). Returns 0, or -1 after a message. */
int groups_read(struct group *group, const struct options *options, const char *id, const char *spool,
	const struct model_wish *wish);

/* Whether a run is one of several ranks. They share what their machine has, and tools take memory by machine. */
bool groups_is_rank(const struct run *run);

/* Reads the group of a rank, and the earlier ones, out of these spools, or else its own. Returns 0, or -1. */
int groups_read_of_rank(
	struct group *group, const struct run *run, const char *const *names, size_t count, size_t earlier);

#endif
