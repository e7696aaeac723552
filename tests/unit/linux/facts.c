/* SPDX-License-Identifier: Apache-2.0 */
/* Tests of Linux's description of a machine, in files like those of /proc, /sys and /etc. */
#include "os/system.h"

#include "tests/unit/lib/scratch.h"
#include "tests/unit/lib/tap.h"

static const char *const places[] = {"etc", "proc", "proc/self", "proc/driver", "proc/driver/nvidia",
	"proc/driver/nvidia/gpus", "proc/driver/nvidia/gpus/0000:01:00.0", "proc/driver/nvidia/gpus/0000:02:00.0",
	"proc/driver/nvidia/gpus/0000:03:00.0", "sys", "sys/fs", "sys/fs/cgroup", "sys/fs/cgroup/job",
	"sys/fs/cgroup/job/step", "sys/fs/cgroup/memory", "sys/fs/cgroup/memory/job", "sys/fs/cgroup/cpu",
	"sys/fs/cgroup/cpu/job"};

static void check_limits(double vcpus, double memory_mib, const char *what)
{
	struct system_facts facts;
	printf("# %s\n", what);
	system_read_facts(&facts, scratch_directory());
	/* This machine may have fewer CPUs than the case allows. */
	ok(number_known(vcpus) ? facts.vcpus <= vcpus : facts.vcpus >= 1, "  its CPUs");
	if (vcpus < 1)
		is_number(facts.vcpus, vcpus, "  a fraction of a CPU");
	is_number(facts.memory_limit_mib, memory_mib, "  its memory");
}

/* Mounts of both versions. */
static const char mountinfo[] = "30 25 0:26 / /sys/fs/cgroup rw,relatime - cgroup2 cgroup2 rw\n"
				"31 30 0:27 / /sys/fs/cgroup/memory rw,relatime - cgroup cgroup rw,memory\n"
				"32 30 0:28 / /sys/fs/cgroup/cpu rw,relatime - cgroup cgroup rw,cpu,cpuacct\n";

static void check_cgroups(void)
{
	scratch_write("proc/self/mountinfo", mountinfo);
	check_limits(UNKNOWN, UNKNOWN, "no cgroups");
	scratch_write("proc/self/cgroup", "0::/job/step\n");
	check_limits(UNKNOWN, UNKNOWN, "no limits");
	scratch_write("sys/fs/cgroup/job/step/memory.max", "max\n");
	scratch_write("sys/fs/cgroup/job/step/cpu.max", "max 100000\n");
	check_limits(UNKNOWN, UNKNOWN, "unlimited");
	scratch_write("sys/fs/cgroup/job/memory.max", "1073741824\n");
	scratch_write("sys/fs/cgroup/job/cpu.max", "50000 100000\n");
	check_limits(0.5, 1024, "limits of the parent group");
	scratch_write("sys/fs/cgroup/job/step/memory.max", "2147483648\n");
	scratch_write("sys/fs/cgroup/job/step/cpu.max", "25000 100000\n");
	check_limits(0.25, 1024, "the lowest limit counts");
	scratch_write("proc/self/cgroup", "0::/not/mounted/here\n");
	scratch_write("sys/fs/cgroup/memory.max", "536870912\n");
	check_limits(UNKNOWN, 512, "a container whose group's path is not mounted");
	scratch_remove("sys/fs/cgroup/memory.max");
	scratch_write("proc/self/cgroup", "12:cpu,cpuacct:/job\n11:memory:/job\n0::/\n");
	scratch_write("sys/fs/cgroup/memory/job/memory.limit_in_bytes", "268435456\n");
	scratch_write("sys/fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712\n");
	scratch_write("sys/fs/cgroup/cpu/job/cpu.cfs_quota_us", "75000\n");
	scratch_write("sys/fs/cgroup/cpu/job/cpu.cfs_period_us", "100000\n");
	check_limits(0.75, 256, "version 1");
	scratch_write("sys/fs/cgroup/cpu/job/cpu.cfs_quota_us", "-1\n");
	scratch_write("sys/fs/cgroup/memory/job/memory.limit_in_bytes", "9223372036854771712\n");
	check_limits(UNKNOWN, UNKNOWN, "version 1 without limits");
	scratch_write("proc/self/cgroup", "nonsense\n::\n0:\n");
	check_limits(UNKNOWN, UNKNOWN, "nonsense");
}

static void check_server(void)
{
	struct system_facts facts;

	scratch_write("etc/os-release", "NAME=\"Other\"\nPRETTY_NAME=\"Some Linux 12\"\n");
	scratch_write("proc/cpuinfo", "processor\t: 0\nmodel name\t: Fast CPU @ 3 GHz\n");
	scratch_write("proc/meminfo", "MemTotal:       16384000 kB\nMemFree: 1 kB\n");
	system_read_facts(&facts, scratch_directory());
	is_text(facts.os, "Some Linux 12", "a machine's system");
	is_text(facts.cpu_model, "Fast CPU @ 3 GHz", "its processor");
	is_number(facts.memory_mib, 16000, "its memory");
	system_read_facts(&facts, "/nowhere");
	is_text(facts.os, "Linux", "the system of a machine without os-release");
	is_number(facts.memory_mib, UNKNOWN, "its memory");
}

static void note_gpu(void *context, enum system_gpu vendor, struct text model, double memory_mib)
{
	struct buffer *out = context;

	buffer_string(out, vendor == SYSTEM_GPU_NVIDIA && !number_known(memory_mib) ? "" : "?");
	buffer_text(out, model);
	buffer_byte(out, ',');
}

static void check_gpus(void)
{
	char found[256];
	struct buffer out = BUFFER(found);

	scratch_write("proc/driver/nvidia/gpus/0000:01:00.0/information", "Model: \t\t NVIDIA A100\nIRQ:   12\n");
	scratch_write("proc/driver/nvidia/gpus/0000:02:00.0/information", "Model: \t\t NVIDIA T4\n");
	scratch_write("proc/driver/nvidia/gpus/0000:03:00.0/information", "Model: \t\t NVIDIA T4\n");
	system_find_gpus(scratch_directory(), note_gpu, &out);
	(void)buffer_terminate(&out);
	is_number((double)out.length, 32, "NVIDIA boards by their driver");
	ok(strstr(found, "NVIDIA A100,") != NULL, "each board has its name, without its memory");
}

int main(void)
{
	for (size_t i = 0; i < ARRAY_LENGTH(places); i++)
		(void)scratch_make(places[i]);
	check_cgroups();
	check_server();
	check_gpus();
	return done();
}
