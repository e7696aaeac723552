/* SPDX-License-Identifier: Apache-2.0 */
/* Tests of os/linux/machine/cgroup.c on whole trees of real systems. Each row of the table at the end is one tree,
 * which is made below the scratch directory. The expected values are the content of the files. The tests do not touch
 * any group of this machine. */
#include "os/linux/machine/system.h"

#include "core/number.h"
#include "tests/unit/lib/scratch.h"
#include "tests/unit/lib/tap.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

enum { FILES_MAX = 16 };

struct tree {
	const char *name;
	const char *cgroups; /* /proc/self/cgroup, or NULL if missing */
	const char *mounts;  /* /proc/self/mountinfo */
	struct {
		const char *path, *content;
	} files[FILES_MAX];
	/* NAN if unknown */
	double charged, limit_bytes, limit_cpus, throttled_ns, kills, cpu_ns, processes;
};

#define MIB 1048576.0

/* Version 1 has a mount for each controller. The options are in the order in which the kernel of that system writes
 * them. */
#define V1_BASE "25 18 0:21 / /sys/fs/cgroup ro,nosuid,nodev,noexec shared:8 - tmpfs tmpfs ro,seclabel,mode=755\n"
#define V1_SYSTEMD                                                                                                     \
	"26 25 0:22 / /sys/fs/cgroup/systemd rw,relatime shared:9 - cgroup cgroup "                                    \
	"rw,seclabel,xattr,release_agent=/usr/lib/systemd/systemd-cgroups-agent,name=systemd\n"
#define V1_MOUNTS                                                                                                      \
	V1_BASE V1_SYSTEMD                                                                                             \
		"28 25 0:24 / /sys/fs/cgroup/cpu,cpuacct rw,relatime shared:10 - cgroup cgroup "                       \
		"rw,seclabel,cpuacct,cpu\n"                                                                            \
		"29 25 0:25 / /sys/fs/cgroup/cpuset rw,relatime shared:11 - cgroup cgroup rw,seclabel,cpuset\n"        \
		"31 25 0:27 / /sys/fs/cgroup/memory rw,relatime shared:12 - cgroup cgroup rw,seclabel,memory\n"
#define V2_MOUNT                                                                                                       \
	"30 23 0:26 / /sys/fs/cgroup rw,nosuid,nodev,noexec,relatime shared:4 - cgroup2 cgroup2 rw,nsdelegate\n"
#define V2_UNIFIED "41 25 0:38 / /sys/fs/cgroup/unified rw,nosuid,nodev,noexec,relatime shared:10 - cgroup2 cgroup rw\n"
#define POD "pod2c48913c-b29f-11e7-9350-020968147796"
#define ID "8f4b3a1d9c0e4b7d6a5f2e1c0b9a8d7e6f5c4b3a2d1e0f9c8b7a6d5e4f3c2b1a"
#define SLURM_JOB "sys/fs/cgroup/system.slice/n1_slurmstepd.scope/job_4"
#define NO_LIMIT "9223372036854771712\n"

static const struct tree trees[] = {
	{
		"a cgroup namespace without its own mount (unshare -C): groups above it are not ours",
		"4:memory:/\n3:cpu,cpuacct:/\n0::/\n",
		"28 25 0:24 /../.. /sys/fs/cgroup/cpu,cpuacct rw,relatime shared:10 - cgroup cgroup rw,cpu,cpuacct\n"
		"31 25 0:27 /.. /sys/fs/cgroup/memory rw,relatime shared:12 - cgroup cgroup rw,memory\n",
		{
			{"sys/fs/cgroup/memory/memory.usage_in_bytes", "5242880\n"},
			{"sys/fs/cgroup/memory/memory.limit_in_bytes", "1073741824\n"},
			{"sys/fs/cgroup/cpu,cpuacct/cpuacct.usage", "123456789\n"},
			{"sys/fs/cgroup/cpu,cpuacct/cgroup.procs", "17\n18\n"},
		},
		NAN,
		NAN,
		NAN,
		NAN,
		NAN,
		NAN,
		NAN,
	},
	{
		"CentOS 7 (3.10, version 1): a session; the kernel does not count kills",
		"11:cpuset:/\n10:freezer:/\n4:memory:/user.slice\n3:cpuacct,cpu:/user.slice\n"
		"1:name=systemd:/user.slice/user-1000.slice/session-2.scope\n",
		V1_MOUNTS,
		{
			{"sys/fs/cgroup/memory/user.slice/memory.usage_in_bytes", "73400320\n"},
			{"sys/fs/cgroup/memory/user.slice/memory.limit_in_bytes", NO_LIMIT},
			{"sys/fs/cgroup/memory/memory.limit_in_bytes", NO_LIMIT},
			{"sys/fs/cgroup/memory/user.slice/memory.oom_control", "oom_kill_disable 0\nunder_oom 0\n"},
			{"sys/fs/cgroup/cpu,cpuacct/user.slice/cpu.cfs_quota_us", "-1\n"},
			{"sys/fs/cgroup/cpu,cpuacct/user.slice/cpu.cfs_period_us", "100000\n"},
			{"sys/fs/cgroup/cpu,cpuacct/user.slice/cpu.stat",
				"nr_periods 0\nnr_throttled 0\nthrottled_time 0\n"},
			{"sys/fs/cgroup/cpu,cpuacct/user.slice/cpuacct.usage", "8000000000\n"},
			{"sys/fs/cgroup/cpu,cpuacct/user.slice/cgroup.procs", "17\n18\n"},
		},
		70 * MIB,
		NAN,
		NAN,
		0,
		NAN,
		8e9,
		2,
	},
	{
		"RHEL 8 (4.18, version 1): a Slurm task, limited by its job's group",
		"11:memory:/slurm/uid_1000/job_42/step_batch/task_0\n8:cpuset:/slurm/uid_1000/job_42/step_batch\n"
		"5:cpu,cpuacct:/system.slice/slurmd.service\n1:name=systemd:/system.slice/slurmd.service\n",
		V1_MOUNTS,
		{
			{"sys/fs/cgroup/memory/slurm/uid_1000/job_42/step_batch/task_0/memory.usage_in_bytes",
				"5242880\n"},
			{"sys/fs/cgroup/memory/slurm/uid_1000/job_42/step_batch/task_0/memory.limit_in_bytes",
				NO_LIMIT},
			{"sys/fs/cgroup/memory/slurm/uid_1000/job_42/step_batch/memory.limit_in_bytes", "2147483648\n"},
			{"sys/fs/cgroup/memory/slurm/uid_1000/job_42/memory.limit_in_bytes", "1073741824\n"},
			{"sys/fs/cgroup/memory/slurm/uid_1000/memory.limit_in_bytes", NO_LIMIT},
			{"sys/fs/cgroup/memory/slurm/uid_1000/job_42/step_batch/task_0/memory.oom_control",
				"oom_kill_disable 0\nunder_oom 0\noom_kill 2\n"},
			{"sys/fs/cgroup/cpu,cpuacct/system.slice/slurmd.service/cpu.stat",
				"nr_periods 9\nnr_throttled 3\nthrottled_time 250000000\n"},
			{"sys/fs/cgroup/cpu,cpuacct/system.slice/slurmd.service/cpu.cfs_quota_us", "150000\n"},
			{"sys/fs/cgroup/cpu,cpuacct/system.slice/slurmd.service/cpu.cfs_period_us", "100000\n"},
			{"sys/fs/cgroup/cpu,cpuacct/system.slice/slurmd.service/cpuacct.usage", "123456789\n"},
		},
		5 * MIB,
		1024 * MIB,
		1.5,
		250e6,
		2,
		123456789,
		NAN,
	},
	{
		"Ubuntu 18.04 (hybrid): version 2 beside version 1, which has the controllers",
		"12:memory:/user.slice\n6:cpu,cpuacct:/user.slice\n"
		"1:name=systemd:/user.slice/user-1000.slice/session-2.scope\n"
		"0::/user.slice/user-1000.slice/session-2.scope\n",
		V1_BASE V2_UNIFIED V1_SYSTEMD
		"28 25 0:24 / /sys/fs/cgroup/cpu,cpuacct rw,relatime shared:10 - cgroup cgroup rw,cpu,cpuacct\n"
		"31 25 0:27 / /sys/fs/cgroup/memory rw,relatime shared:12 - cgroup cgroup rw,memory\n",
		{
			{"sys/fs/cgroup/memory/user.slice/memory.usage_in_bytes", "1048576\n"},
			{"sys/fs/cgroup/memory/user.slice/memory.limit_in_bytes", "4294967296\n"},
			{"sys/fs/cgroup/memory/user.slice/memory.oom_control",
				"oom_kill_disable 0\nunder_oom 0\noom_kill 0\n"},
			{"sys/fs/cgroup/cpu,cpuacct/user.slice/cpuacct.usage", "77\n"},
			{"sys/fs/cgroup/cpu,cpuacct/user.slice/cpu.stat",
				"nr_periods 0\nnr_throttled 0\nthrottled_time 0\n"},
			/* This file of version 2 is not read. */
			{"sys/fs/cgroup/unified/user.slice/user-1000.slice/session-2.scope/cpu.stat",
				"usage_usec 5\nuser_usec 3\nsystem_usec 2\n"},
			{"sys/fs/cgroup/unified/user.slice/user-1000.slice/session-2.scope/cgroup.procs", "9\n"},
		},
		MIB,
		4096 * MIB,
		NAN,
		0,
		0,
		77,
		NAN,
	},
	{
		"hybrid, with the memory given to version 2 (cgroup_no_v1=memory)",
		"6:cpu,cpuacct:/\n1:name=systemd:/\n0::/job.scope\n",
		V1_BASE V2_UNIFIED
		"28 25 0:24 / /sys/fs/cgroup/cpu,cpuacct rw,relatime shared:10 - cgroup cgroup rw,cpu,cpuacct\n",
		{
			{"sys/fs/cgroup/unified/job.scope/memory.current", "2097152\n"},
			{"sys/fs/cgroup/unified/job.scope/memory.max", "8388608\n"},
			{"sys/fs/cgroup/unified/job.scope/memory.events", "low 0\nhigh 0\nmax 4\noom 1\noom_kill 1\n"},
			{"sys/fs/cgroup/cpu,cpuacct/cpuacct.usage", "99\n"},
		},
		2 * MIB,
		8 * MIB,
		NAN,
		NAN,
		1,
		99,
		NAN,
	},
	{
		"Debian 12, RHEL 9 (version 2): a service, limited by its slice",
		"0::/system.slice/job.service\n",
		V2_MOUNT,
		{
			{"sys/fs/cgroup/system.slice/job.service/memory.current", "3145728\n"},
			{"sys/fs/cgroup/system.slice/job.service/memory.max", "max\n"},
			{"sys/fs/cgroup/system.slice/memory.max", "536870912\n"},
			{"sys/fs/cgroup/system.slice/job.service/cpu.max", "max 100000\n"},
			{"sys/fs/cgroup/system.slice/cpu.max", "250000 100000\n"},
			{"sys/fs/cgroup/system.slice/job.service/cpu.stat",
				"usage_usec 1500\nuser_usec 1000\nsystem_usec 500\nnr_periods 4\nnr_throttled 1\n"
				"throttled_usec 20\n"},
			{"sys/fs/cgroup/system.slice/job.service/memory.events",
				"low 0\nhigh 0\nmax 0\noom 0\noom_kill 0\noom_group_kill 0\n"},
			{"sys/fs/cgroup/system.slice/job.service/cgroup.procs", "4\n5\n6\n"},
		},
		3 * MIB,
		512 * MIB,
		2.5,
		20e3,
		0,
		1500e3,
		3,
	},
	{
		"Slurm 22.05 (version 2), captured: a task below its step, which has less than its job",
		"0::/system.slice/n1_slurmstepd.scope/job_4/step_0/user/task_0\n",
		"30 23 0:26 / /sys/fs/cgroup rw,relatime - cgroup2 none rw\n",
		{
			{SLURM_JOB "/step_0/user/task_0/memory.current", "83886080\n"},
			{SLURM_JOB "/step_0/user/task_0/memory.max", "max\n"},
			{SLURM_JOB "/step_0/user/memory.max", "83886080\n"},
			{SLURM_JOB "/step_0/memory.max", "max\n"},
			{SLURM_JOB "/memory.max", "209715200\n"},
			{SLURM_JOB "/step_0/user/task_0/memory.events",
				"low 0\nhigh 0\nmax 0\noom 0\noom_kill 1\noom_group_kill 0\n"},
			{SLURM_JOB "/step_0/user/memory.events",
				"low 0\nhigh 0\nmax 31\noom 1\noom_kill 1\noom_group_kill 0\n"},
			{SLURM_JOB "/step_0/user/task_0/cpu.max", "max 100000\n"},
			{SLURM_JOB "/step_0/user/task_0/cpu.stat",
				"usage_usec 12511395\nuser_usec 5543023\nsystem_usec 6968371\nnr_periods 0\n"
				"nr_throttled 0\nthrottled_usec 0\nnr_bursts 0\nburst_usec 0\n"},
			{SLURM_JOB "/step_0/user/task_0/cgroup.procs", "201\n266\n"},
		},
		80 * MIB,
		80 * MIB,
		NAN,
		0,
		1,
		12511395e3,
		2,
	},
	{
		"version 2 without memory and CPU controllers: a session without them by systemd",
		"0::/user.slice/user-1000.slice/session-1.scope\n",
		V2_MOUNT,
		{
			{"sys/fs/cgroup/user.slice/user-1000.slice/session-1.scope/cpu.stat",
				"usage_usec 10\nuser_usec 6\nsystem_usec 4\n"},
			{"sys/fs/cgroup/user.slice/user-1000.slice/session-1.scope/cgroup.procs", "12\n"},
		},
		NAN,
		NAN,
		NAN,
		NAN,
		NAN,
		10e3,
		1,
	},
	{
		"Docker, version 2, with its own namespace: the group is the root of the visible hierarchy",
		"0::/\n",
		"1234 1233 0:29 / /sys/fs/cgroup ro,nosuid,nodev,noexec,relatime - cgroup2 cgroup rw,nsdelegate\n",
		{
			{"sys/fs/cgroup/memory.current", "1048576\n"},
			{"sys/fs/cgroup/memory.max", "67108864\n"},
			{"sys/fs/cgroup/cpu.max", "50000 100000\n"},
			{"sys/fs/cgroup/memory.events", "oom_kill 0\n"},
			{"sys/fs/cgroup/cpu.stat", "usage_usec 1\nthrottled_usec 0\n"},
			{"sys/fs/cgroup/cgroup.procs", "1\n7\n"},
		},
		MIB,
		64 * MIB,
		0.5,
		0,
		0,
		1e3,
		2,
	},
	{
		"Docker, version 1, without a namespace: mounts begin at the container's group",
		"11:memory:/docker/" ID "\n5:cpu,cpuacct:/docker/" ID "\n1:name=systemd:/docker/" ID "\n",
		"600 599 0:24 /docker/" ID " /sys/fs/cgroup/cpu,cpuacct ro,relatime master:9 - cgroup cgroup "
		"rw,cpu,cpuacct\n"
		"601 599 0:27 /docker/" ID " /sys/fs/cgroup/memory ro,relatime master:12 - cgroup cgroup rw,memory\n",
		{
			{"sys/fs/cgroup/memory/memory.usage_in_bytes", "1048576\n"},
			{"sys/fs/cgroup/memory/memory.limit_in_bytes", "134217728\n"},
			{"sys/fs/cgroup/memory/memory.oom_control", "oom_kill_disable 0\nunder_oom 0\noom_kill 1\n"},
			{"sys/fs/cgroup/cpu,cpuacct/cpu.cfs_quota_us", "200000\n"},
			{"sys/fs/cgroup/cpu,cpuacct/cpu.cfs_period_us", "100000\n"},
			{"sys/fs/cgroup/cpu,cpuacct/cpuacct.usage", "5\n"},
		},
		MIB,
		128 * MIB,
		2,
		NAN,
		1,
		5,
		NAN,
	},
	{
		"Kubernetes, version 1: a group below the container's",
		"9:memory:/kubepods/burstable/" POD "/" ID "/task\n3:cpu,cpuacct:/kubepods/burstable/" POD "/" ID "\n",
		"600 599 0:24 /kubepods/burstable/" POD "/" ID
		" /sys/fs/cgroup/cpu,cpuacct ro,relatime master:9 - cgroup cgroup rw,cpu,cpuacct\n"
		"601 599 0:27 /kubepods/burstable/" POD "/" ID
		" /sys/fs/cgroup/memory ro,relatime master:12 - cgroup cgroup rw,memory\n",
		{
			{"sys/fs/cgroup/memory/task/memory.usage_in_bytes", "1048576\n"},
			{"sys/fs/cgroup/memory/task/memory.limit_in_bytes", NO_LIMIT},
			{"sys/fs/cgroup/memory/memory.limit_in_bytes", "2097152\n"},
			{"sys/fs/cgroup/memory/task/memory.oom_control", "oom_kill 0\n"},
			{"sys/fs/cgroup/cpu,cpuacct/cpuacct.usage", "6\n"},
		},
		MIB,
		2 * MIB,
		NAN,
		NAN,
		0,
		6,
		NAN,
	},
	{
		"Kubernetes, version 2: the whole hierarchy of the node is seen",
		"0::/kubepods.slice/kubepods-burstable.slice/cri-containerd-" ID ".scope\n",
		V2_MOUNT,
		{
			{"sys/fs/cgroup/kubepods.slice/kubepods-burstable.slice/cri-containerd-" ID
			 ".scope/memory.current",
				"1048576\n"},
			{"sys/fs/cgroup/kubepods.slice/kubepods-burstable.slice/cri-containerd-" ID ".scope/memory.max",
				"33554432\n"},
			{"sys/fs/cgroup/kubepods.slice/memory.max", "16777216\n"},
			{"sys/fs/cgroup/kubepods.slice/kubepods-burstable.slice/cri-containerd-" ID ".scope/cpu.max",
				"max 100000\n"},
		},
		MIB,
		16 * MIB,
		NAN,
		NAN,
		NAN,
		NAN,
		NAN,
	},
	{
		"rootless podman, version 2: the mount begins at the user's group",
		"0::/user.slice/user-1000.slice/user@1000.service/user.slice/libpod-" ID ".scope/container\n",
		"800 799 0:26 /user.slice/user-1000.slice/user@1000.service/user.slice/libpod-" ID
		".scope /sys/fs/cgroup ro,relatime - cgroup2 cgroup2 rw,nsdelegate\n",
		{
			{"sys/fs/cgroup/container/memory.current", "1048576\n"},
			{"sys/fs/cgroup/container/memory.max", "max\n"},
			{"sys/fs/cgroup/memory.max", "4194304\n"},
			{"sys/fs/cgroup/container/cgroup.procs", "1\n"},
		},
		MIB,
		4 * MIB,
		NAN,
		NAN,
		NAN,
		NAN,
		1,
	},
	{
		"a mount of a group with a name that begins alike: only groups above it are known",
		"11:memory:/docker/ab\n",
		"601 599 0:27 /docker/a /sys/fs/cgroup/memory ro,relatime - cgroup cgroup rw,memory\n",
		{
			{"sys/fs/cgroup/memory/memory.usage_in_bytes", "1048576\n"},
			{"sys/fs/cgroup/memoryb/memory.usage_in_bytes", "7\n"},
		},
		MIB,
		NAN,
		NAN,
		NAN,
		NAN,
		NAN,
		NAN,
	},
	{
		"a process outside its namespace's group, which no mount shows: nothing is known",
		"0::/../neighbour\n",
		V2_MOUNT,
		{
			{"sys/fs/cgroup/memory.current", "1048576\n"},
			{"sys/fs/cgroup/memory.max", "2097152\n"},
			{"sys/fs/neighbour/memory.current", "7\n"},
			{"sys/fs/cgroup/cpu.max", "100000 100000\n"},
		},
		NAN,
		NAN,
		NAN,
		NAN,
		NAN,
		NAN,
		NAN,
	},
	{
		"version 1 without the controller of memory (cgroup_disable=memory)",
		"3:cpu,cpuacct:/\n1:name=systemd:/init.scope\n",
		V1_BASE V1_SYSTEMD
		"28 25 0:24 / /sys/fs/cgroup/cpu,cpuacct rw,relatime shared:10 - cgroup cgroup rw,cpu,cpuacct\n",
		{
			{"sys/fs/cgroup/cpu,cpuacct/cpuacct.usage", "5\n"},
			{"sys/fs/cgroup/cpu,cpuacct/cgroup.procs", "1\n2\n"},
		},
		NAN,
		NAN,
		NAN,
		NAN,
		NAN,
		5,
		2,
	},
	{
		"a container without a mount of control groups",
		"11:memory:/docker/" ID "\n0::/\n",
		"30 29 0:44 / / rw,relatime - overlay overlay rw\n",
		{{NULL, NULL}},
		NAN,
		NAN,
		NAN,
		NAN,
		NAN,
		NAN,
		NAN,
	},
	{
		"a kernel without control groups",
		NULL,
		"30 29 0:44 / / rw,relatime - ext4 /dev/sda1 rw\n",
		{{NULL, NULL}},
		NAN,
		NAN,
		NAN,
		NAN,
		NAN,
		NAN,
		NAN,
	},
};

/* Writes `content` to `path` below `root`, and makes all directories of the path. */
static void write_file(const char *root, const char *path, const char *content)
{
	char whole[4096];

	(void)snprintf(whole, sizeof whole, "%s/%s", root, path);
	for (char *slash = strchr(whole + strlen(root) + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
		*slash = '\0';
		(void)mkdir(whole, 0700);
		*slash = '/';
	}
	FILE *file = fopen(whole, "w");
	ok(file && fputs(content, file) >= 0 && fclose(file) == 0, path);
}

static void check_tree(const struct tree *tree, const char *root)
{
	struct cgroup_state state;
	uint64_t throttled_ns, kills, cpu_ns;
	int pids[8];

	if (tree->cgroups)
		write_file(root, "proc/self/cgroup", tree->cgroups);
	for (size_t i = 0; i < FILES_MAX && tree->files[i].path; i++)
		write_file(root, tree->files[i].path, tree->files[i].content);
	cgroup_open(&state, root, text_of(tree->mounts));
	ok(true, tree->name);
	is_number(cgroup_charged(&state), tree->charged, "  charged");
	is_number(state.limit_bytes, tree->limit_bytes, "  limit of memory");
	is_number(state.limit_cpus, tree->limit_cpus, "  limit of CPUs");
	bool known = cgroup_throttled(&state, &throttled_ns) == 0;
	is_number(known ? (double)throttled_ns : UNKNOWN, tree->throttled_ns, "  throttled");
	known = cgroup_oom_kills(&state, &kills) == 0;
	is_number(known ? (double)kills : UNKNOWN, tree->kills, "  kills");
	known = cgroup_cpu(&state, &cpu_ns) == 0;
	is_number(known ? (double)cpu_ns : UNKNOWN, tree->cpu_ns, "  CPU time");
	int processes = cgroup_processes(&state, pids, ARRAY_LENGTH(pids));
	is_number(processes >= 0 ? processes : UNKNOWN, tree->processes, "  processes");
	cgroup_close(&state);
}

int main(void)
{
	for (size_t i = 0; i < ARRAY_LENGTH(trees); i++) {
		char name[16];
		(void)snprintf(name, sizeof name, "tree-%zu", i);
		check_tree(&trees[i], scratch_make(name));
	}
	return done();
}
