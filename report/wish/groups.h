/* A --group as a command wants it. */
#ifndef RTRACK_REPORT_WISH_GROUPS_H
#define RTRACK_REPORT_WISH_GROUPS_H

#include "report/group/group.h"
#include "report/options/options.h"

/* Reads the group `id` out of the spools that the options name, or else `spool`; `as_run`: it is to be taken as one
 * run. Returns 0, or -1 after a message. */
int groups_read(struct group *group, const struct options *options, const char *id, const char *spool, bool as_run);

#endif
