/* The machine: a sample of it for each row of system.csv, and what it is; see file.h for the blanket conditions. */
#ifndef RTRACK_OS_SYSTEM_H
#define RTRACK_OS_SYSTEM_H

#include "core/firmware.h"
#include "core/row.h"
#include "os/error.h"

struct system_state; /* what the next sample's differences are taken from; lives in the caller's memory */
size_t system_state_size(void);
int system_open(struct system_state *state);
void system_close(struct system_state *state);
void system_pause(struct system_state *state); /* closes all that is open, until it is read again */

/* Fills the cells (numbers) of one row of system.csv, except `timestamp`, `processes` and `tracker_cpu`. Counters are
 * differences since the previous call, which was `elapsed_ns` ago. What is not known is UNKNOWN. */
void system_read(struct system_state *state, int64_t elapsed_ns, struct cell *cells);

/* The memory that is in use now: the machine's, or that of the control group if that is less. 0: unknown. */
uint64_t system_memory_in_use_kib(struct system_state *state);
unsigned system_cpus(const struct system_state *state); /* on line */

/* The file in which the system counts the processes of this process' control group that were killed for lack of memory,
 * and what it said at the last system_read. */
struct system_oom {
	const char *file; /* "": there is none */
	uint64_t kills;
};
struct system_oom system_oom(const struct system_state *state);
int system_oom_kills(const char *file, uint64_t *kills); /* what such a file says now */

/* The group of processes that the system accounts together with the calling one (a control group, a job): the CPU time
 * (ns) that it ever used; and how many processes are in it, with the pids of the first `capacity`, 0 for one that has
 * none here. Negative where the system does not tell. */
int system_group_cpu(const struct system_state *state, uint64_t *cpu_ns);
int system_group_processes(const struct system_state *state, int *pids, size_t capacity);

/* The same, as it is at the beginning of a count. */
enum { SYSTEM_GROUP_MAX = 32 };
struct system_group {
	bool known;
	uint64_t cpu_ns;
	uint64_t own_ns; /* CPU time that the calling process and the children that it reaped had used by then */
	int count;       /* of the processes in it, perhaps more than there is room for; negative: unknown */
	int pids[SYSTEM_GROUP_MAX];
};

enum { SYSTEM_TEXT_MAX = 128 };

/* What the machine is, and how much of it this process may use. Unknown texts are empty, unknown figures UNKNOWN. */
struct system_facts {
	char os[SYSTEM_TEXT_MAX]; /* "Debian GNU/Linux 12 (bookworm)" */
	char kernel[SYSTEM_TEXT_MAX];
	char architecture[SYSTEM_TEXT_MAX];
	char cpu_model[SYSTEM_TEXT_MAX];
	unsigned cpus;           /* that can run something, whichever process may use them; 0: unknown */
	double vcpus;            /* that affinity and quotas allow; need not be whole */
	double memory_mib;       /* of the machine */
	double memory_limit_mib; /* the lowest that applies to this process; UNKNOWN: none */
	double cpu_limit;        /* CPUs that the quotas allow; UNKNOWN: none */
	/* `start` of the parent's identity, if that is no interactive shell: such a one gives each command a process
	 * group of its own, a script does not. UNKNOWN: it is one, or the system does not tell. */
	double script_start;
	struct system_group group;
};

/* `root` is put before the path of every file that is read: "" for this machine, a folder in tests. Needs some 20 KiB
 * of stack. */
void system_read_facts(struct system_facts *facts, const char *root);

/* Whether a GPU or an energy counter may be there that rtrack-gpu could ask: a few looks, for the start of a run. */
bool system_has_meters(void);

enum system_gpu { SYSTEM_GPU_NVIDIA, SYSTEM_GPU_AMD };

/* Calls `take` for each GPU that the system names without a driver's library, with its memory (UNKNOWN: not told). */
typedef void system_takes_gpu(void *context, enum system_gpu vendor, struct text model, double memory_mib);
void system_find_gpus(const char *root, system_takes_gpu *take, void *context);

/* A field of the firmware, without the line's end; empty where there is none. `root` as for system_read_facts. */
struct text system_firmware(const char *root, enum firmware_field field, char bytes[FIRMWARE_TEXT_MAX]);

#endif
