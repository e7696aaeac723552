/* What of this system works for rtrack and what does not, for a person who looks for a cause; see file.h for the
 * blanket conditions. */
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
	HEALTH_LESS, /* runs are tracked, and something of them is unknown */
	HEALTH_BAD,  /* runs are not tracked */
	HEALTH_OPEN, /* it could not be found out */
};

typedef void health_take(void *context, enum health_check check, enum health health, const char *finding);

/* Calls `take` for what the system itself tells: HEALTH_proc to HEALTH_gpu, in the order of the table. A system has no
 * word for what it does not have. `root` is put before the path of every file that is read: "" for this machine. */
void os_examine(const char *root, health_take *take, void *context);

#endif
