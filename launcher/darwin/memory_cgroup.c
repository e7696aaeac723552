/* SPDX-License-Identifier: Apache-2.0 */
/* Creates no control group, because macOS has none. */
#include "launcher/memory_cgroup.h"

void memory_cgroup_open(struct memory_cgroup *cgroup, pid_t pid, double memory_mib)
{
	(void)pid, (void)memory_mib;
	*cgroup = (struct memory_cgroup){.directory = ""};
}

bool memory_cgroup_has_killed(const struct memory_cgroup *cgroup)
{
	(void)cgroup;
	return false;
}

void memory_cgroup_close(struct memory_cgroup *cgroup)
{
	(void)cgroup;
}
