/* SPDX-License-Identifier: Apache-2.0 */
/* Static facts about the machine, for os/system.h.
 *
 * They come from os-release(5), /proc, the control group's files, and /sys/class/dmi
 * (Documentation/ABI/testing/sysfs-firmware-dmi-entries). */
#include "os/system.h"

#include "os/file.h"
#include "os/linux/parse.h"
#include "os/linux/proc.h"
#include "os/linux/sys.h"
#include "os/linux/machine/system.h"
#include "os/memory.h"
#include "os/self.h"

#include <linux/utsname.h>

enum { PATH_LENGTH = 4096 };

#define BYTES_PER_MIB 1048576.0
#define KIB_PER_MIB 1024.0

static struct text read_below(const char *root, const char *path, char *data, size_t capacity)
{
	char whole[PATH_LENGTH];
	struct buffer out = BUFFER(whole);

	buffer_string(&out, root);
	buffer_string(&out, path);
	int64_t length = os_read(OS_HERE, buffer_terminate(&out), data, capacity);
	return (struct text){data, length > 0 ? (size_t)length : 0};
}

static void keep(char to[SYSTEM_TEXT_MAX], struct text text)
{
	struct buffer out = {to, 0, SYSTEM_TEXT_MAX, false};
	buffer_text(&out, text);
	(void)buffer_terminate(&out);
}

static unsigned allowed_cpus(void)
{
	uint64_t affinity[128] = {0};
	long bytes = SYS_CALL3(__NR_sched_getaffinity, 0, sizeof affinity, affinity);
	unsigned allowed = 0;

	for (long i = 0; i < bytes / 8; i++)
		for (uint64_t bits = affinity[i]; bits; bits &= bits - 1)
			allowed++;
	return allowed;
}

/* Returns the number of online CPUs. If /sys is missing, as in a bare chroot, the CPUs in /proc/stat are counted. The
 * result is at least the number of CPUs on which the process may run. */
unsigned system_online_cpus(const char *root, char scratch[SCRATCH_MAX])
{
	static const char line[] = "\ncpu";
	unsigned cpus = parse_cpu_list(read_below(root, "/sys/devices/system/cpu/online", scratch, SCRATCH_MAX));

	if (cpus > 0)
		return cpus;
	struct text stat = read_below(root, "/proc/stat", scratch, SCRATCH_MAX);
	for (; stat.length >= sizeof line; stat.data++, stat.length--)
		cpus += text_starts(stat, line);
	unsigned allowed = allowed_cpus();
	return cpus > allowed ? cpus : allowed;
}

/* Reads the CPU time of the control group, and the processes in it. */
static void read_group(struct system_group *group, const struct cgroup_state *cgroup)
{
	uint64_t own_ns[2], children_ns[2];

	process_children_usage(children_ns);
	process_own_usage(own_ns);
	group->known = cgroup_cpu(cgroup, &group->cpu_ns) == 0;
	group->own_ns = own_ns[0] + own_ns[1] + children_ns[0] + children_ns[1];
	group->count = cgroup_shown_processes(cgroup, group->pids, SYSTEM_GROUP_MAX);
}

static void read_limits(struct system_facts *facts, const char *root, char *scratch)
{
	struct cgroup_state cgroup;
	unsigned allowed = allowed_cpus();

	cgroup_open(&cgroup, root, read_below(root, "/proc/self/mountinfo", scratch, SCRATCH_MAX));
	read_group(&facts->group, &cgroup);
	cgroup_close(&cgroup);
	facts->memory_limit_mib = cgroup.limit_bytes / BYTES_PER_MIB;
	facts->cpu_limit = cgroup.limit_cpus;
	facts->vcpus = allowed > 0 && !(cgroup.limit_cpus < allowed) ? allowed : cgroup.limit_cpus;
}

static void read_parent(struct system_facts *facts)
{
	struct stat_fields own, parent;

	if (proc_read_stat(0, &own) != 0 || own.ppid <= 0 || proc_read_stat(own.ppid, &parent) != 0)
		return;
	facts->parent_start = (double)parent.start_ticks;
	if (parent.group == own.group)
		facts->script_start = facts->parent_start;
}

void system_read_facts(struct system_facts *facts, const char *root)
{
	struct new_utsname names;
	uint64_t total_kib;
	char *scratch = os_map(SCRATCH_MAX);

	*facts = (struct system_facts){.vcpus = UNKNOWN,
		.memory_mib = UNKNOWN,
		.memory_limit_mib = UNKNOWN,
		.cpu_limit = UNKNOWN,
		.parent_start = UNKNOWN,
		.script_start = UNKNOWN};
	if (!scratch)
		return;
	struct text os = parse_field(read_below(root, "/etc/os-release", scratch, SCRATCH_MAX), "PRETTY_NAME=", '=');
	keep(facts->os, os.length > 0 ? os : TEXT("Linux"));
	if (SYS_CALL1(__NR_uname, &names) == 0) {
		keep(facts->kernel, text_of(names.release));
		keep(facts->architecture, text_of(names.machine));
	}
	/* Only the model of the first processor is read, because all processors usually have the same model. */
	keep(facts->cpu_model, parse_field(read_below(root, "/proc/cpuinfo", scratch, PATH_LENGTH), "model name", ':'));
	if (parse_value(read_below(root, "/proc/meminfo", scratch, SCRATCH_MAX), "MemTotal:", &total_kib) == 0)
		facts->memory_mib = (double)total_kib / KIB_PER_MIB;
	facts->cpus = system_online_cpus(root, scratch);
	read_limits(facts, root, scratch);
	read_parent(facts);
	os_unmap(scratch, SCRATCH_MAX);
}

struct text system_firmware(const char *root, enum firmware_field field, char bytes[FIRMWARE_TEXT_MAX])
{
	static const char files[FIRMWARE_FIELDS][36] = {
		[FIRMWARE_sys_vendor] = "/sys/class/dmi/id/sys_vendor",
		[FIRMWARE_product_name] = "/sys/class/dmi/id/product_name",
		[FIRMWARE_bios_vendor] = "/sys/class/dmi/id/bios_vendor",
		[FIRMWARE_bios_version] = "/sys/class/dmi/id/bios_version",
		[FIRMWARE_chassis_asset_tag] = "/sys/class/dmi/id/chassis_asset_tag",
	};
	struct text text = read_below(root, files[field], bytes, FIRMWARE_TEXT_MAX);

	while (text.length > 0 && (text.data[text.length - 1] == '\n' || text.data[text.length - 1] == ' '))
		text.length--;
	return text;
}
