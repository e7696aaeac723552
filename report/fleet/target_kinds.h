/* Which kind of target a URL is, by its scheme. */
#ifndef RTRACK_REPORT_FLEET_TARGET_KINDS_H
#define RTRACK_REPORT_FLEET_TARGET_KINDS_H

#include "report/fleet/target.h"

/* `url` must outlive it. Returns 0; or -1 with target->why. */
int target_open(struct target *target, const char *url);
void target_close(struct target *target);

#endif
