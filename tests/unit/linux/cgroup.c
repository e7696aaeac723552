/* SPDX-License-Identifier: Apache-2.0 */
/* Tests of os/linux/machine/cgroup.c on simulated control group directories. They do not touch any group of this
 * machine.
 * As in a container, the mount shows another part of the hierarchy than the group of this process. Therefore the
 * directory of the mount itself stands for the group. */
#include "os/linux/machine/system.h"

#include "core/number.h"
#include "tests/unit/lib/scratch.h"
#include "tests/unit/lib/tap.h"

static char mountinfo[8192];

/* A mount of `type` at the scratch directory. */
static struct text mount_of(const char *type, const char *options)
{
	char root[3000];
	memset(root, 'x', sizeof root - 1);
	root[0] = '/';
	root[sizeof root - 1] = '\0';
	(void)snprintf(mountinfo, sizeof mountinfo, "35 31 0:32 %s %s rw,relatime - %s none %s\n", root,
		scratch_directory(), type, options);
	return text_of(mountinfo);
}

/* Checks whether this process has a group that the mount could show. */
static bool has_line(const char *what)
{
	char line[4096];
	bool found = false;
	FILE *file = fopen("/proc/self/cgroup", "r");
	while (file && fgets(line, sizeof line, file))
		found = found || strstr(line, what);
	if (file)
		(void)fclose(file);
	return found;
}

static void check_figures(struct text mounts, const char *version, const char *limit)
{
	struct cgroup_state state;
	uint64_t kills = 99;

	scratch_write(limit, "4194304\n");
	cgroup_open(&state, "", mounts);
	is_number(cgroup_charged(&state), 1048576, version);
	is_number(cgroup_kept(&state), 81920, "memory without pages of files on disk");
	is_number(cgroup_oom_kills(&state, &kills), 0, "kills are counted");
	is_number((double)kills, 3, "only oom_kill is read, and no key that begins alike");
	is_number(state.limit_bytes, 4194304, "the limit");
	scratch_write(limit, "2097152\n");
	cgroup_renew_limit(&state);
	is_number(state.limit_bytes, 2097152, "a lowered limit");
	scratch_remove(limit);
	cgroup_close(&state);
}

static void version_2(void)
{
	scratch_write("memory.current", "1048576\n");
	scratch_write("memory.stat", "anon 65536\nfile 999424\nkernel 4096\nshmem 16384\nshmem_thp 0\n");
	scratch_write("memory.events", "low 0\nhigh 0\nmax 7\noom 4\noom_kill 3\noom_group_kill 1\n");
	if (has_line("0::"))
		check_figures(mount_of("cgroup2", "rw"), "version 2", "memory.max");
	scratch_remove("memory.current");
	scratch_remove("memory.stat");
	scratch_remove("memory.events");
}

static void version_1(void)
{
	scratch_write("memory.usage_in_bytes", "1048576\n");
	scratch_write("memory.stat", "cache 983040\nrss 65536\nrss_huge 0\nshmem 16384\ntotal_rss 99999744\n");
	scratch_write("memory.oom_control", "oom_kill_disable 0\nunder_oom 0\noom_kill 3\n");
	if (has_line(":memory:"))
		check_figures(mount_of("cgroup", "rw,memory"), "version 1", "memory.limit_in_bytes");
	scratch_write("memory.oom_control", "oom_kill_disable 0\nunder_oom 0\n");
	struct cgroup_state state;
	uint64_t kills = 99;
	cgroup_open(&state, "", mount_of("cgroup", "rw,memory"));
	ok(cgroup_oom_kills(&state, &kills) == -1 && kills == 99, "a kernel without a count of OOM kills");
	cgroup_close(&state);
}

static void no_group(void)
{
	struct cgroup_state state;
	uint64_t kills = 99;

	cgroup_open(&state, "", text_of(""));
	ok(cgroup_oom_kills(&state, &kills) == -1, "without a group, kills are unknown");
	ok(!number_known(cgroup_charged(&state)) && !number_known(cgroup_kept(&state)),
		"without a group, charged memory is unknown");
	cgroup_renew_limit(&state);
	ok(!number_known(state.limit_bytes), "without a group, there is no limit");
	cgroup_close(&state);
}

int main(void)
{
	version_2();
	version_1();
	no_group();
	return done();
}
