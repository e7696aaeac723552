/* SPDX-License-Identifier: Apache-2.0 */
/* Functions that read parts of a system sample on Linux, and their state between two samples. */
#ifndef RTRACK_OS_LINUX_MACHINE_SYSTEM_H
#define RTRACK_OS_LINUX_MACHINE_SYSTEM_H

#include "core/row.h"

/* Size of a buffer for the largest file that is read. The part of the buffer that is never used takes no memory. */
enum { SCRATCH_MAX = 131072 };

/* Returns the number of online CPUs (facts.c). */
unsigned system_online_cpus(const char *root, char scratch[SCRATCH_MAX]);

/* -- disk.c: traffic of whole disks, and space on local file systems ------------------------------- */

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

/* Reads the number of bytes that all whole disks have read and written since boot. Partitions, loop and RAM disks, and
 * stacked devices (dm, md) are excluded, because their traffic is included in that of the disks below them. A sector in
 * /proc/diskstats has 512 bytes on every disk (Documentation/block/stat.rst). */
void disk_traffic(struct disk_state *state, struct text diskstats, uint64_t bytes[2]);

/* Finds the mounted file systems whose space is added: all local ones that have blocks. A file system that is mounted
 * several times is added once. Network file systems are excluded, because statfs hangs if their server is down. */
void disk_find_mounts(struct disk_state *state, struct text mountinfo);

/* Sums the total, used and free bytes of these file systems. They are f_blocks, f_blocks - f_bfree and f_bavail of
 * statfs(2), each times f_frsize. */
void disk_space(const struct disk_state *state, double bytes[3]);

/* -- cgroup.c: the job's memory, limit, throttling and kills --------------------------------------------- */

enum { CGROUP_PATH_MAX = 1024 };

enum cgroup_file {
	CGROUP_CHARGED,   /* memory.current, or memory.usage_in_bytes in version 1 */
	CGROUP_KEPT,      /* memory.stat */
	CGROUP_EVENTS,    /* memory.events, or memory.oom_control in version 1 */
	CGROUP_THROTTLED, /* cpu.stat */
	CGROUP_USAGE,     /* cpuacct.usage, or cpu.stat if that is missing */
	CGROUP_DIRECTORY, /* directory of the control group in version 1 */
	CGROUP_FILES
};

struct cgroup_state {
	int files[CGROUP_FILES]; /* descriptors that stay open; negative if the file is missing */
	double limit_bytes;      /* memory limit, or UNKNOWN if there is none */
	double limit_cpus;       /* number of CPUs that quotas allow, or UNKNOWN if there is no quota */
	const char *limit_file;  /* "memory.max", or "memory.limit_in_bytes" in version 1 */
	char events_path[CGROUP_PATH_MAX];
};

/* Finds the control group of the calling process, and opens its files. A limit is the lowest of the group and its
 * ancestors. `root` is prepended to all paths; it is "" except in tests. */
void cgroup_open(struct cgroup_state *state, const char *root, struct text mountinfo);
void cgroup_close(struct cgroup_state *state);
/* Finds the directory of the calling process's control group that has the memory controller. Sets *unified to whether
 * it is a group of version 2. Returns false if there is no such group. */
bool cgroup_of_memory(struct text mountinfo, char *directory, size_t size, bool *unified);
/* Returns the charged memory in bytes, or UNKNOWN. */
double cgroup_charged(const struct cgroup_state *state);
/* Returns the charged memory without the page cache of files on disk, in bytes. Returns UNKNOWN if it cannot be read,
 * or if there is no limit. */
double cgroup_kept(const struct cgroup_state *state);
/* Reads for how long the control group was throttled, in ns. Returns 0, or -1 if it is unknown. */
int cgroup_throttled(const struct cgroup_state *state, uint64_t *throttled_ns);
/* Reads the number of processes that the kernel killed because the control group had reached its memory limit. Returns
 * 0, or -1 if the number is unknown. */
int cgroup_oom_kills(const struct cgroup_state *state, uint64_t *kills);
/* Reads the memory limit again, because it may have been lowered. Do not call this at each tick, because it opens
 * files. */
void cgroup_renew_limit(struct cgroup_state *state);
/* Reads the total CPU time of the control group and its descendants, in ns. Returns 0, or -1 if it is unknown. */
int cgroup_cpu(const struct cgroup_state *state, uint64_t *cpu_ns);
/* Returns the number of processes in the control group, or -1 if it is unknown. Stores the pids of the first `capacity`
 * processes. A process in another PID namespace has pid 0. */
int cgroup_processes(const struct cgroup_state *state, int *pids, size_t capacity);
/* Does the same as cgroup_processes, but returns -1 if this PID namespace hides some processes. In version 1, the
 * kernel's file omits hidden processes, so the number would be too low. */
int cgroup_shown_processes(const struct cgroup_state *state, int *pids, size_t capacity);

#endif
