/* The parts of a system sample on Linux; what each keeps between two samples. Used by system.c only. */
#ifndef RTRACK_OS_LINUX_MACHINE_SYSTEM_H
#define RTRACK_OS_LINUX_MACHINE_SYSTEM_H

#include "core/row.h"

/* Room for the largest text that is read; untouched pages of it cost nothing. */
enum { SCRATCH_MAX = 131072 };

/* How many CPUs there are that can run something (facts.c), below `root` as in system_read_facts. */
unsigned system_online_cpus(const char *root, char scratch[SCRATCH_MAX]);

/* -- disk.c: traffic of whole disks, space of real file systems ---------------------------------- */

enum { DISKS_MAX = 128, MOUNTS_MAX = 32, MOUNT_POINT_MAX = 256 };

struct disk {
	uint32_t number; /* major << 20 | minor */
	bool counted;
};

struct disk_state {
	struct disk disks[DISKS_MAX];
	size_t disk_count;
	char mounts[MOUNTS_MAX][MOUNT_POINT_MAX];
	size_t mount_count;
};

/* Bytes read and written since boot by all whole disks. Partitions, loop and RAM disks, and devices stacked on others
 * (dm, md) are left out, since the disks below them count the same traffic. Sectors of /proc/diskstats are 512 bytes
 * whatever the drive (Documentation/block/stat.rst). */
void disk_traffic(struct disk_state *state, struct text diskstats, uint64_t bytes[2]);

/* Finds the mounted file systems that count: local ones with blocks, each once even if it is bound to several places.
 * Network file systems are left out: statfs would hang on one that has lost its server. */
void disk_find_mounts(struct disk_state *state, struct text mountinfo);

/* Total, used and free bytes of those file systems: f_blocks, total - free, f_bavail, times f_frsize (statfs(2)). */
void disk_space(const struct disk_state *state, double bytes[3]);

/* -- cgroup.c: the job's memory, limit, throttling and kills --------------------------------------------- */

enum { CGROUP_PATH_MAX = 1024 };

enum cgroup_file {
	CGROUP_CHARGED,   /* memory.current or memory.usage_in_bytes */
	CGROUP_KEPT,      /* memory.stat */
	CGROUP_EVENTS,    /* memory.events or memory.oom_control */
	CGROUP_THROTTLED, /* cpu.stat */
	CGROUP_USAGE,     /* cpuacct.usage; where there is none cpu.stat tells */
	CGROUP_DIRECTORY, /* of the same cgroup */
	CGROUP_FILES
};

struct cgroup_state {
	int files[CGROUP_FILES]; /* kept open; negative: there is none */
	double limit_bytes;      /* UNKNOWN: none */
	double limit_cpus;       /* CPUs that the quotas allow; UNKNOWN: all */
	const char *limit_file;  /* memory.max or memory.limit_in_bytes */
	char events_path[CGROUP_PATH_MAX];
};

/* Finds the cgroup of the calling process and opens its files. Their paths begin with `root` ("" for this machine). The
 * limits are the lowest of the cgroup and its ancestors. */
void cgroup_open(struct cgroup_state *state, const char *root, struct text mountinfo);
void cgroup_close(struct cgroup_state *state);
/* The directory of the calling process' cgroup where memory is controlled, and whether that is version 2; false: there
 * is none. */
bool cgroup_of_memory(struct text mountinfo, char *directory, size_t size, bool *unified);
/* Bytes charged; UNKNOWN where there is no such figure. */
double cgroup_charged(const struct cgroup_state *state);
/* The same of those that are no file's on disk; UNKNOWN where there is no limit. */
double cgroup_kept(const struct cgroup_state *state);
/* Nanoseconds for which the cgroup was throttled; -1 when there is no such figure. */
int cgroup_throttled(const struct cgroup_state *state, uint64_t *throttled_ns);
/* Processes that the kernel killed because the cgroup was full; -1 when there is no such figure. */
int cgroup_oom_kills(const struct cgroup_state *state, uint64_t *kills);
/* Reads the limit of memory again: it may have been lowered since. Opens files, and so is not for each tick. */
void cgroup_renew_limit(struct cgroup_state *state);
/* CPU time (ns) that the cgroup and those below it ever used; -1 when there is no such figure. */
int cgroup_cpu(const struct cgroup_state *state, uint64_t *cpu_ns);
/* How many processes are in it, and the pids of the first `capacity`, 0 for those of another PID namespace; -1 when it
 * does not tell. */
int cgroup_processes(const struct cgroup_state *state, int *pids, size_t capacity);
/* The same of the group that we are in; -1, too, where our PID namespace hides others: version 1 leaves them out. */
int cgroup_shown_processes(const struct cgroup_state *state, int *pids, size_t capacity);

#endif
