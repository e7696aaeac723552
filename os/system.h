/* SPDX-License-Identifier: Apache-2.0 */
/* Reads the machine: a sample for each row of system.csv, and static facts. As in all of os/, no function changes
 * errno, allocates or retries. */
#ifndef RTRACK_OS_SYSTEM_H
#define RTRACK_OS_SYSTEM_H

#include "core/firmware.h"
#include "core/row.h"
#include "os/error.h"

struct system_state; /* state that is kept between two samples, in memory of the caller */
size_t system_state_size(void);
int system_open(struct system_state *state);
void system_close(struct system_state *state);
void system_pause(struct system_state *state); /* closes all files; the next system_read opens them again */

/* Fills the cells of a row of system.csv, except `timestamp`, `processes` and `tracker_cpu`. A counter is the increase
 * since the previous call, which was `elapsed_ns` ago. */
void system_read(struct system_state *state, int64_t elapsed_ns, struct cell *cells);

/* Returns the memory in use on the machine, or in the control group if that is smaller. Returns 0 if it is unknown. */
uint64_t system_memory_in_use_kib(struct system_state *state);
/* Returns the figure tmpfs_used_mib of system.csv, or UNKNOWN. */
double system_tmpfs_used_mib(struct system_state *state);
unsigned system_cpus(const struct system_state *state); /* returns the number of online CPUs */

/* Out-of-memory kills in the control group of this process: the file that contains their number, and the number at the
 * last system_read. */
struct system_oom {
	const char *file; /* "" if there is none */
	uint64_t kills;
};
struct system_oom system_oom(const struct system_state *state);
/* reads the current number of out-of-memory kills from `file` */
int system_oom_kills(const char *file, uint64_t *kills);

/* Read the processes that the system accounts together with the calling process, such as those in its control group.
 * Both functions return a negative value if these are unknown. system_group_cpu reads their total CPU time in ns.
 * system_group_processes returns their number, and stores the pids of the first `capacity`. The pid is 0 if a process
 * has none in this namespace. */
int system_group_cpu(const struct system_state *state, uint64_t *cpu_ns);
int system_group_processes(const struct system_state *state, int *pids, size_t capacity);

/* State of the control group's processes at the start of a measurement. */
enum { SYSTEM_GROUP_MAX = 32 };
struct system_group {
	bool known;
	uint64_t cpu_ns;
	uint64_t own_ns; /* CPU time of the calling process and its reaped children at the start */
	int count;       /* number of processes, which may exceed SYSTEM_GROUP_MAX, or negative if unknown */
	int pids[SYSTEM_GROUP_MAX];
};

enum { SYSTEM_TEXT_MAX = 128 };

/* Facts about the machine, and about the part of it that this process may use. An unknown text is empty, and an unknown
 * figure is UNKNOWN. */
struct system_facts {
	char os[SYSTEM_TEXT_MAX]; /* such as "Debian GNU/Linux 12 (bookworm)" */
	char kernel[SYSTEM_TEXT_MAX];
	char architecture[SYSTEM_TEXT_MAX];
	char cpu_model[SYSTEM_TEXT_MAX];
	unsigned cpus;     /* number of online CPUs, even those that this process may not use; 0 if unknown */
	double vcpus;      /* number of CPUs that affinity and quotas allow, possibly a fraction */
	double memory_mib; /* physical memory of the machine */
	/* lowest memory limit of the control group and its ancestors, or UNKNOWN if there is none */
	double memory_limit_mib;
	double cpu_limit;    /* number of CPUs that quotas allow, or UNKNOWN if there is no quota */
	double parent_start; /* `start` of the parent process, or UNKNOWN */
	/* `start` of the parent process if the parent runs a script, otherwise UNKNOWN. An interactive shell, which
	 * runs no script, is recognized because it puts each command into a process group of its own. */
	double script_start;
	struct system_group group;
};

/* Reads the facts. `root` is prepended to all paths; it is "" except in tests. The function needs about 20 KiB of
 * stack. */
void system_read_facts(struct system_facts *facts, const char *root);

/* Returns whether this machine may have a GPU or an energy counter that rtrack-gpu can read. Every run calls this at
 * its start, so it is fast. */
bool system_has_meters(void);

enum system_gpu { SYSTEM_GPU_NVIDIA, SYSTEM_GPU_AMD };

/* Calls `take` for each GPU that the system lists even without a driver's library. The memory of the GPU may be
 * UNKNOWN. */
typedef void system_takes_gpu(void *context, enum system_gpu vendor, struct text model, double memory_mib);
void system_find_gpus(const char *root, system_takes_gpu *take, void *context);

/* Returns a field of the firmware without the newline, or an empty text. `root` is prepended to the path. */
struct text system_firmware(const char *root, enum firmware_field field, char bytes[FIRMWARE_TEXT_MAX]);

#endif
