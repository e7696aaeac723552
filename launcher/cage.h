/* A control group of its own for the command, in which the kernel holds it to an amount of memory.
 *
 * The sampler sees memory at its ticks, and a program can take a gigabyte between two of them. Where the launcher may
 * make a control group below its own, the kernel stops what is quicker than that. The group is below the launcher's
 * and never beside it, since all limits that hold for the launcher must hold for the command. */
#ifndef RTRACK_LAUNCHER_CAGE_H
#define RTRACK_LAUNCHER_CAGE_H

#include "core/spool.h"

#include <sys/types.h>

struct cage {
	char directory[SPOOL_PATH_MAX]; /* "": there is none */
	bool unified;                   /* version 2 */
};

/* Makes the group with that limit, and puts the process, which has not begun to work, into it. Without the right to do
 * so there is none, and nothing else is changed. */
void cage_open(struct cage *cage, pid_t pid, double memory_mib);

/* Whether the kernel has killed a process for having reached this group's own limit. */
bool cage_has_killed(const struct cage *cage);

/* Removes the group; one that still has processes stays, and holds them on. */
void cage_close(struct cage *cage);

#endif
