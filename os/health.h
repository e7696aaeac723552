/* SPDX-License-Identifier: Apache-2.0 */
/* Checks which features of this system rtrack can use. rtrack-report doctor prints the results. As in all of os/, no
 * function changes errno, allocates or retries. */
#ifndef RTRACK_OS_HEALTH_H
#define RTRACK_OS_HEALTH_H

#include "core/base.h"

enum health_check {
#define HEALTH(id, title, remedy) HEALTH_##id,
#include "os/health.def"
	HEALTH_COUNT
};

enum health {
	HEALTH_FINE,
	HEALTH_LESS, /* runs are tracked, but some figures are unknown */
	HEALTH_BAD,  /* runs are not tracked */
	HEALTH_OPEN, /* the check could not be made */
};

typedef void health_take(void *context, enum health_check check, enum health health, const char *finding);

/* Makes the checks from HEALTH_proc to HEALTH_gpu, and calls `take` with each result in the order of the table. Omits
 * checks of features that the system lacks. `root` is prepended to all paths; it is "" except in tests. */
void os_examine(const char *root, health_take *take, void *context);

#endif
