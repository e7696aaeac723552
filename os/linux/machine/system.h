/* SPDX-License-Identifier: Apache-2.0 */
/* Functions that read parts of a system sample on Linux, and their state between two samples. */
#ifndef RTRACK_OS_LINUX_MACHINE_SYSTEM_H
#define RTRACK_OS_LINUX_MACHINE_SYSTEM_H

#include "core/row.h"

/* Size of the largest text that is read. Pages that are not touched cost nothing. */
enum { SCRATCH_MAX = 131072 };

/* Returns the number of online CPUs (facts.c). */
unsigned system_online_cpus(const char *root, char scratch[SCRATCH_MAX]);

/* -- disk.c: traffic of whole disks, space of local file systems --------------------------------- */

enum { DISKS_MAX = 128, MOUNTS_MAX = 32, MOUNT_POINT_MAX = 256 };

struct disk {
	uint32_t number; /* device number: major << 20 | minor */
	bool counted;
};

struct disk_state {
	struct disk disks[DISKS_MAX];
	size_t disk_count;
	char mounts[MOUNTS_MAX][MOUNT_POINT_MAX];
	size_t mount_count;
};

/* Returns the bytes read and written by all whole disks since boot. Partitions, loop and RAM disks, and stacked devices
 * (dm, md) are excluded, because the disks below them count that traffic. A sector in /proc/diskstats has 512 bytes on
 * every disk (Documentation/block/stat.rst). */
void disk_traffic(struct disk_state *state, struct text diskstats, uint64_t bytes[2]);

/* Finds the mounted file systems to count: local ones with blocks, each once even if it is mounted several times.
 * Network file systems are excluded, because statfs hangs if the server is gone. */
void disk_find_mounts(struct disk_state *state, struct text mountinfo);

/* Sums total, used and free bytes of these file systems: f_blocks, f_blocks - f_bfree and f_bavail, times f_frsize
 * (statfs(2)). */
void disk_space(const struct disk_state *state, double bytes[3]);

/* -- cgroup.c: the job's memory, limit, throttling and kills --------------------------------------------- */

enum { CGROUP_PATH_MAX = 1024 };

enum cgroup_file {
	CGROUP_CHARGED,   /* memory.current or memory.usage_in_bytes */
	CGROUP_KEPT,      /* memory.stat */
	CGROUP_EVENTS,    /* memory.events or memory.oom_control */
	CGROUP_THROTTLED, /* cpu.stat */
	CGROUP_USAGE,     /* cpuacct.usage, or cpu.stat if that is missing */
	CGROUP_DIRECTORY, /* directory of the control group in version 1 */
	CGROUP_FILES
};

struct cgroup_state {
	int files[CGROUP_FILES]; /* descriptors kept open; negative if missing */
	double limit_bytes;      /* memory limit, or UNKNOWN if unlimited */
	double limit_cpus;       /* CPUs that quotas allow, or UNKNOWN if unlimited */
	const char *limit_file;  /* memory.max or memory.limit_in_bytes */
	char events_path[CGROUP_PATH_MAX];
};

/* Finds the control group of the calling process and opens its files. The limits are the lowest of the group and its
 * ancestors. `root` is prepended to all paths: "" for this machine. */
void cgroup_open(struct cgroup_state *state, const char *root, struct text mountinfo);
void cgroup_close(struct cgroup_state *state);
/* Finds the directory of the calling process's control group in the hierarchy of the memory controller. *unified: that
 * is version 2. Returns false if there is none. */
bool cgroup_of_memory(struct text mountinfo, char *directory, size_t size, bool *unified);
/* Returns the charged memory in bytes, or UNKNOWN. */
double cgroup_charged(const struct cgroup_state *state);
/* Returns the charged memory without the page cache of files on disk, in bytes. UNKNOWN if it is unknown or there is no
 * limit. */
double cgroup_kept(const struct cgroup_state *state);
/* Reads how long the cgroup was throttled, in ns. Returns 0, or -1 if unknown. */
int cgroup_throttled(const struct cgroup_state *state, uint64_t *throttled_ns);
/* Reads the number of processes that the kernel killed because the control group had reached its limit. Returns 0, or
 * -1 if unknown. */
int cgroup_oom_kills(const struct cgroup_state *state, uint64_t *kills);
/* Reads the memory limit again, because it may have been lowered. Opens files, so do not call it at each tick. */
void cgroup_renew_limit(struct cgroup_state *state);
/* Reads the total CPU time (ns) of the cgroup and its descendants. Returns 0, or -1 if unknown. */
int cgroup_cpu(const struct cgroup_state *state, uint64_t *cpu_ns);
/* Returns the number of processes in the control group, or -1 if unknown. Stores the pids of the first `capacity`; a
 * process of another PID namespace has pid 0. */
int cgroup_processes(const struct cgroup_state *state, int *pids, size_t capacity);
/* As cgroup_processes, but returns -1 if some processes are hidden from this PID namespace. In version 1, the file
 * omits them. */
int cgroup_shown_processes(const struct cgroup_state *state, int *pids, size_t capacity);

#endif
