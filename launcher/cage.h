/* A control group for the command, in which the kernel enforces a memory limit.
 *
 * The sampler reads memory at its ticks, and a program can allocate a gigabyte between two of them. If the launcher may
 * create a control group below its own, the kernel stops such fast growth. The group is a child of the launcher's group
 * and not a sibling, because the limits of the launcher must also apply to the command. */
#ifndef RTRACK_LAUNCHER_CAGE_H
#define RTRACK_LAUNCHER_CAGE_H

#include "core/spool.h"

#include <sys/types.h>

struct cage {
	char directory[SPOOL_PATH_MAX]; /* "" if there is no group */
	bool unified;                   /* version 2 */
};

/* Creates the group with that limit and moves the process into it, before the process begins its work. Without
 * permission, there is no group and nothing else changes. */
void cage_open(struct cage *cage, pid_t pid, double memory_mib);

/* Returns whether the kernel has killed a process because this group's own limit was reached. */
bool cage_has_killed(const struct cage *cage);

/* Removes the group. A group that still has processes stays and keeps limiting them. */
void cage_close(struct cage *cage);

#endif
