/* SPDX-License-Identifier: Apache-2.0 */
/* The command's control group on Linux, version 1 or 2.
 *
 * In version 2, the parent group must list the memory controller in its cgroup.subtree_control. The kernel allows
 * this only in the root group and in groups that contain no processes themselves. In practice, rtrack-run needs a
 * delegated group without other processes, as from `systemd-run --user --scope -p Delegate=yes`. */
#define _GNU_SOURCE
#include "launcher/memory_cgroup.h"

#include "os/file.h"
#include "os/linux/parse.h"
#include "os/linux/machine/system.h"

#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

enum { TEXT_MAX = 65536, EVENTS_MAX = 512 };
static const double NEARLY_ALL = 0.9;

static const char *path_of(const char *directory, const char *file)
{
	static char path[SPOOL_PATH_MAX + 64];

	(void)snprintf(path, sizeof path, "%s/%s", directory, file);
	return path;
}

static bool set(const char *directory, const char *file, const char *value)
{
	int descriptor = open(path_of(directory, file), O_WRONLY | O_CLOEXEC);
	bool done = descriptor >= 0 && write(descriptor, value, text_length(value)) > 0;

	if (descriptor >= 0)
		(void)close(descriptor);
	return done;
}

/* Returns the number that follows `key` in a file of the group, or 0 if the file does not contain `key`. */
static uint64_t figure(const struct memory_cgroup *cgroup, const char *file, const char *key)
{
	char text[EVENTS_MAX];
	uint64_t value = 0;
	int64_t length = os_read(OS_HERE, path_of(cgroup->directory, file), text, sizeof text);
	struct text content = {text, length > 0 ? (size_t)length : 0};

	return parse_value(content, key, &value) == 0 ? value : 0;
}

static bool hold(const struct memory_cgroup *cgroup, double memory_mib)
{
	char bytes[32];

	(void)snprintf(bytes, sizeof bytes, "%.0f", memory_mib * 1024 * 1024);
	if (!set(cgroup->directory, cgroup->unified ? "memory.max" : "memory.limit_in_bytes", bytes))
		return false;
	/* Forbids the use of swap, because swapping would only make the job slow. This fails on kernels that do not
	 * account swap, and the failure is ignored. */
	(void)set(cgroup->directory, cgroup->unified ? "memory.swap.max" : "memory.memsw.limit_in_bytes",
		cgroup->unified ? "0" : bytes);
	if (cgroup->unified)
		(void)set(cgroup->directory, "memory.oom.group", "1");
	return true;
}

void memory_cgroup_open(struct memory_cgroup *cgroup, pid_t pid, double memory_mib)
{
	char own[SPOOL_PATH_MAX];
	static char mounts[TEXT_MAX];
	char number[16];
	struct buffer out = BUFFER(number);

	*cgroup = (struct memory_cgroup){.unified = false};
	/* Finds rtrack-run's own control group. There may be no group with a memory controller. */
	int64_t read = os_read(OS_HERE, "/proc/self/mountinfo", mounts, sizeof mounts);
	if (read <= 0 || !cgroup_of_memory((struct text){mounts, (size_t)read}, own, SPOOL_PATH_MAX, &cgroup->unified))
		return;
	if (cgroup->unified)
		(void)set(own, "cgroup.subtree_control", "+memory");
	int length = snprintf(cgroup->directory, sizeof cgroup->directory, "%s/rtrack-%d", own, (int)pid);
	if (length < 0 || (size_t)length >= sizeof cgroup->directory || mkdir(cgroup->directory, 0700) != 0) {
		cgroup->directory[0] = '\0';
		return;
	}
	buffer_unsigned(&out, (uint64_t)pid);
	if (!hold(cgroup, memory_mib) || !set(cgroup->directory, "cgroup.procs", buffer_terminate(&out)))
		memory_cgroup_close(cgroup);
}

/* Returns whether the group's own limit has caused a kill. oom_kill alone is not sufficient, because it includes
 * kills caused by a parent group or the machine. Version 1 has no reliable count of kills by the group's own limit
 * if swap is limited too. In version 1, the maximum usage must therefore be near the limit. The difference may be up
 * to 2 MiB, because a huge page may not have fit. */
bool memory_cgroup_has_killed(const struct memory_cgroup *cgroup)
{
	if (cgroup->directory[0] == '\0')
		return false;
	if (cgroup->unified)
		return figure(cgroup, "memory.events", "oom_kill ") > 0 && figure(cgroup, "memory.events", "oom ") > 0;
	return figure(cgroup, "memory.oom_control", "oom_kill ") > 0 &&
	       (double)figure(cgroup, "memory.max_usage_in_bytes", "") >=
		       (double)figure(cgroup, "memory.limit_in_bytes", "") * NEARLY_ALL;
}

void memory_cgroup_close(struct memory_cgroup *cgroup)
{
	if (cgroup->directory[0] != '\0')
		(void)rmdir(cgroup->directory);
	cgroup->directory[0] = '\0';
}
