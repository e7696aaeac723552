/* SPDX-License-Identifier: Apache-2.0 */
/* The machine: a sample for each row of system.csv, and its static facts. As in all of os/, no function changes errno,
 * allocates or retries. */
#ifndef RTRACK_OS_SYSTEM_H
#define RTRACK_OS_SYSTEM_H

#include "core/firmware.h"
#include "core/row.h"
#include "os/error.h"

struct system_state; /* state for the differences of the next sample; lives in the caller's memory */
size_t system_state_size(void);
int system_open(struct system_state *state);
void system_close(struct system_state *state);
void system_pause(struct system_state *state); /* closes all open files until the next read */

/* Fills the cells (numbers) of one row of system.csv, except `timestamp`, `processes` and `tracker_cpu`. Counters are
 * differences since the previous call, `elapsed_ns` ago. Unknown figures are UNKNOWN. */
void system_read(struct system_state *state, int64_t elapsed_ns, struct cell *cells);

/* Returns the memory in use: the machine's, or the control group's if that is smaller. 0 if unknown. */
uint64_t system_memory_in_use_kib(struct system_state *state);
unsigned system_cpus(const struct system_state *state); /* number of CPUs online */

/* The file in which the system counts out-of-memory kills in this process's control group, and its value at the last
 * system_read. */
struct system_oom {
	const char *file; /* "" if there is none */
	uint64_t kills;
};
struct system_oom system_oom(const struct system_state *state);
int system_oom_kills(const char *file, uint64_t *kills); /* reads the current count from `file` */

/* Read the group of processes that the system accounts together with the calling process (a control group, a job). Both
 * return a negative value if unknown. system_group_cpu reads the group's total CPU time (ns). system_group_processes
 * returns the number of processes and stores the pids of the first `capacity`; a process without a pid in this
 * namespace has pid 0. */
int system_group_cpu(const struct system_state *state, uint64_t *cpu_ns);
int system_group_processes(const struct system_state *state, int *pids, size_t capacity);

/* State of that group at the start of a measurement. */
enum { SYSTEM_GROUP_MAX = 32 };
struct system_group {
	bool known;
	uint64_t cpu_ns;
	uint64_t own_ns; /* CPU time of the calling process and its reaped children at that time */
	int count;       /* number of processes, which may exceed the size of `pids`; negative if unknown */
	int pids[SYSTEM_GROUP_MAX];
};

enum { SYSTEM_TEXT_MAX = 128 };

/* Facts about the machine, and how much of it this process may use. Unknown texts are empty, unknown figures
 * UNKNOWN. */
struct system_facts {
	char os[SYSTEM_TEXT_MAX]; /* "Debian GNU/Linux 12 (bookworm)" */
	char kernel[SYSTEM_TEXT_MAX];
	char architecture[SYSTEM_TEXT_MAX];
	char cpu_model[SYSTEM_TEXT_MAX];
	unsigned cpus;           /* usable CPUs of the machine, regardless of affinity; 0 if unknown */
	double vcpus;            /* CPUs allowed by affinity and quotas; may be fractional */
	double memory_mib;       /* memory of the machine */
	double memory_limit_mib; /* lowest limit that applies to this process; UNKNOWN if none */
	double cpu_limit;        /* CPUs allowed by quotas; UNKNOWN if none */
	/* `start` of the parent's identity, if the parent is a script. UNKNOWN if it is an interactive shell, which
	 * gives each command its own process group, or if unknown. */
	double script_start;
	struct system_group group;
};

/* Reads the facts. `root` is prepended to the path of every file that is read: "" for this machine, a folder in tests.
 * Needs about 20 KiB of stack. */
void system_read_facts(struct system_facts *facts, const char *root);

/* Returns whether this machine may have a GPU or an energy counter that rtrack-gpu can read. It is cheap, for the start
 * of a run. */
bool system_has_meters(void);

enum system_gpu { SYSTEM_GPU_NVIDIA, SYSTEM_GPU_AMD };

/* Calls `take` for each GPU that the system lists without a driver's library, with its memory (UNKNOWN if unknown). */
typedef void system_takes_gpu(void *context, enum system_gpu vendor, struct text model, double memory_mib);
void system_find_gpus(const char *root, system_takes_gpu *take, void *context);

/* Reads a field of the firmware without the newline; empty if there is none. `root` as for system_read_facts. */
struct text system_firmware(const char *root, enum firmware_field field, char bytes[FIRMWARE_TEXT_MAX]);

#endif
