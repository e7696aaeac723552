/* SPDX-License-Identifier: Apache-2.0 */
/* A control group for the command, in which the kernel enforces a memory limit.
 *
 * The sampler reads memory at its ticks, and a program can allocate a gigabyte between two ticks. If rtrack-run may
 * create a control group below its own, the kernel stops such fast growth. The limits of rtrack-run's group must also
 * apply to the command, so the new group is a child of that group. */
#ifndef RTRACK_LAUNCHER_MEMORY_CGROUP_H
#define RTRACK_LAUNCHER_MEMORY_CGROUP_H

#include "core/spool.h"

#include <sys/types.h>

struct memory_cgroup {
	char directory[SPOOL_PATH_MAX]; /* "" if there is no group */
	bool unified;                   /* the group is of version 2 */
};

/* Creates the group with that limit and moves the process into it. Call it before the process begins its work. Without
 * permission, there is no group and nothing else changes. */
void memory_cgroup_open(struct memory_cgroup *cgroup, pid_t pid, double memory_mib);

/* Returns whether the kernel has killed a process because this group has reached its own limit. */
bool memory_cgroup_has_killed(const struct memory_cgroup *cgroup);

/* Removes the group. If processes are left in it, the group stays and keeps limiting them. */
void memory_cgroup_close(struct memory_cgroup *cgroup);

#endif
