/* SPDX-License-Identifier: Apache-2.0 */
/* A control group for the command, in which the kernel enforces a memory limit.
 *
 * The sampler reads memory only at its ticks, and a program can allocate a gigabyte between two ticks. In a control
 * group, the kernel stops such fast growth. The new group is a child of rtrack-run's own group, because the limits
 * of that group must also apply to the command. rtrack-run may lack the permission to create the group. */
#ifndef RTRACK_LAUNCHER_MEMORY_CGROUP_H
#define RTRACK_LAUNCHER_MEMORY_CGROUP_H

#include "core/spool.h"

#include <sys/types.h>

struct memory_cgroup {
	char directory[SPOOL_PATH_MAX]; /* "" if there is no group */
	bool unified;                   /* whether the group is of version 2 */
};

/* Creates a group with the limit `memory_mib` and moves the process `pid` into it. Call it before the process begins
 * its work. Without permission to create a group, the function has no effect. */
void memory_cgroup_open(struct memory_cgroup *cgroup, pid_t pid, double memory_mib);

/* Returns whether the kernel has killed a process because this group has reached its own limit. */
bool memory_cgroup_has_killed(const struct memory_cgroup *cgroup);

/* Removes the group. If the group still contains processes, it remains and continues to limit them. */
void memory_cgroup_close(struct memory_cgroup *cgroup);

#endif
