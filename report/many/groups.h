/* The commands for a group, once it has been read. */
#ifndef RTRACK_REPORT_MANY_GROUPS_H
#define RTRACK_REPORT_MANY_GROUPS_H

#include "report/commands/commands.h"
#include "report/group/whole.h"

int stats_group_command(const struct options *options, struct group *group);
/* The others take the group as one run. */
int show_group(const struct options *options, struct group *group, struct whole *whole);
int html_group(const struct options *options, struct group *group, struct whole *whole);
int recommend_group(const struct options *options, const struct group *group, const struct whole *whole);

/* Reads the group `id` out of the spools that the options name, or else `spool`. Returns 0, or -1 after a message. */
int groups_read(struct group *group, const struct options *options, const char *id, const char *spool, bool as_run);

#endif
