/* Which kind of target a URL is, by its scheme. */
#ifndef RTRACK_REPORT_TARGETS_KINDS_H
#define RTRACK_REPORT_TARGETS_KINDS_H

#include "report/ship/target.h"

/* `url` must outlive it. Returns 0; or -1 with target->why. */
int target_open(struct target *target, const char *url);
void target_close(struct target *target);

#endif
