/* What a machine says of itself, and whether a run had it for itself. */
#include "report/services/machine.h"

#include "report/figures/allocation.h"
#include "tests/unit/lib/scratch.h"
#include "tests/unit/lib/tap.h"

#include <stdlib.h>

static const char *const places[] = {"etc", "proc", "proc/self", "proc/driver", "proc/driver/nvidia",
	"proc/driver/nvidia/gpus", "proc/driver/nvidia/gpus/0000:01:00.0", "proc/driver/nvidia/gpus/0000:02:00.0",
	"proc/driver/nvidia/gpus/0000:03:00.0", "sys", "sys/fs", "sys/fs/cgroup", "sys/fs/cgroup/job",
	"sys/fs/cgroup/job/step", "sys/fs/cgroup/memory", "sys/fs/cgroup/memory/job", "sys/fs/cgroup/cpu",
	"sys/fs/cgroup/cpu/job"};

static void check_limits(double vcpus, double memory_mib, const char *what)
{
	struct machine machine;
	ok(machine_read(&machine, scratch_directory(), false) == 0, what);
	/* There are fewer CPUs here than the case allows, perhaps. */
	ok(number_known(vcpus) ? machine.facts.vcpus <= vcpus : machine.facts.vcpus >= 1, "  its CPUs");
	if (vcpus < 1)
		is_number(machine.facts.vcpus, vcpus, "  less than one CPU");
	is_number(machine.facts.memory_limit_mib, memory_mib, "  its memory");
	machine_free(&machine);
}

/* Where the hierarchies are, both versions side by side. */
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
	check_limits(UNKNOWN, UNKNOWN, "limits that are none");
	scratch_write("sys/fs/cgroup/job/memory.max", "1073741824\n");
	scratch_write("sys/fs/cgroup/job/cpu.max", "50000 100000\n");
	check_limits(0.5, 1024, "limits of the level above");
	scratch_write("sys/fs/cgroup/job/step/memory.max", "2147483648\n");
	scratch_write("sys/fs/cgroup/job/step/cpu.max", "25000 100000\n");
	check_limits(0.25, 1024, "the lowest counts");
	scratch_write("proc/self/cgroup", "0::/not/mounted/here\n");
	scratch_write("sys/fs/cgroup/memory.max", "536870912\n");
	check_limits(UNKNOWN, 512, "a container, whose own path is not mounted");
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
	struct machine machine;

	scratch_write("etc/os-release", "NAME=\"Other\"\nPRETTY_NAME=\"Some Linux 12\"\n");
	scratch_write("proc/cpuinfo", "processor\t: 0\nmodel name\t: Fast CPU @ 3 GHz\n");
	scratch_write("proc/meminfo", "MemTotal:       16384000 kB\nMemFree: 1 kB\n");
	scratch_write("proc/driver/nvidia/gpus/0000:01:00.0/information", "Model: \t\t NVIDIA A100\nIRQ:   12\n");
	scratch_write("proc/driver/nvidia/gpus/0000:02:00.0/information", "Model: \t\t NVIDIA T4\n");
	scratch_write("proc/driver/nvidia/gpus/0000:03:00.0/information", "Model: \t\t NVIDIA T4\n");
	ok(machine_read(&machine, scratch_directory(), false) == 0, "a machine");
	cJSON *json = machine_json(&machine);
	is_text(json_string(json, "os"), "Some Linux 12", "  its system");
	is_text(json_string(json, "cpu_model"), "Fast CPU @ 3 GHz", "  its processor");
	is_number(json_double(json, "memory_mib"), 16000, "  its memory");
	is_number(json_double(json, "gpu_count"), 3, "  its GPUs");
	is_text(json_string(json, "gpu_name"), "NVIDIA T4", "  the most common of them");
	is_number(json_double(json, "gpu_memory_mib"), UNKNOWN, "  their memory is not told");
	cJSON_Delete(json);
	machine_free(&machine);
	ok(machine_read(&machine, "/nowhere", false) == 0, "a machine that says nothing");
	is_text(machine.facts.os, "Linux", "  its system");
	is_number(machine.facts.memory_mib, UNKNOWN, "  its memory");
	machine_free(&machine);
}

static void check_allocation(void)
{
	static const struct {
		double job[4]; /* CPUs, MiB, GPUs, MiB */
		double machine[4];
		const char *guess;
	} cases[] = {
		{{2, 4000, NAN, NAN}, {2.2, 4400, NAN, NAN}, "dedicated"},
		{{2, 4000, NAN, NAN}, {2.26, 4400, NAN, NAN}, "shared"},
		{{0.5, 4000, NAN, NAN}, {0.63, 4400, NAN, NAN}, "shared"},
		{{2, 4000, NAN, NAN}, {2, 4513, NAN, NAN}, "shared"},
		{{2, 600, NAN, NAN}, {2, 901, NAN, NAN}, "shared"},
		{{2, 4000, 1, 1000}, {2, 4000, 1.15, 1200}, "dedicated"},
		{{2, 4000, 1, 1000}, {2, 4000, 1.21, 1200}, "shared"},
		{{2, 4000, 1, 1000}, {2, 4000, 1, 1251}, "shared"},
		{{2, NAN, NAN, NAN}, {2, 4000, NAN, NAN}, "dedicated"},
		{{NAN, NAN, NAN, NAN}, {2, 4000, NAN, NAN}, NULL},
	};

	for (size_t i = 0; i < ARRAY_LENGTH(cases); i++) {
		double job[4];
		double machine[4];
		char what[32];
		memcpy(job, cases[i].job, sizeof job);
		memcpy(machine, cases[i].machine, sizeof machine);
		struct series process = {.rows = 1};
		struct series system = {.rows = 1};
		process.columns[PROCESS_cpu_usage] = &job[0];
		process.columns[PROCESS_memory_mib] = &job[1];
		process.columns[PROCESS_gpu_usage] = &job[2];
		process.columns[PROCESS_gpu_vram_mib] = &job[3];
		system.columns[SYSTEM_cpu_usage] = &machine[0];
		system.columns[SYSTEM_memory_used_mib] = &machine[1];
		system.columns[SYSTEM_gpu_usage] = &machine[2];
		system.columns[SYSTEM_gpu_vram_mib] = &machine[3];
		snprintf(what, sizeof what, "allocation, case %zu", i + 1);
		is_text(allocation_guess(&process, &system), cases[i].guess, what);
	}
}

int main(void)
{
	for (size_t i = 0; i < ARRAY_LENGTH(places); i++)
		(void)scratch_make(places[i]);
	check_cgroups();
	check_server();
	check_allocation();
	return done();
}
