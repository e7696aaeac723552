/* SPDX-License-Identifier: Apache-2.0 */
/* Processes: this one and others. As in all of os/, no function changes errno, allocates or retries. */
#ifndef RTRACK_OS_PROCESS_H
#define RTRACK_OS_PROCESS_H

#include "core/base.h"
#include "core/figures.h"
#include "os/error.h"

/* A unique identity of a process. A pid alone can be reused; a pid with its start time cannot. A bare pid is only
 * passed to system calls, and may already denote another process. */
struct process_id {
	int pid;
	uint64_t start; /* start time in the system's unit, as in column start_ticks of start.csv; 0 if unknown */
};

static inline bool process_is(struct process_id a, struct process_id b)
{
	return a.pid == b.pid && a.start == b.start;
}

/* Returns the process identified by two cells of a table, or pid 0 if the cells are not a valid identity. */
static inline struct process_id process_id_of(double pid, double start)
{
	if (!(pid > 0 && pid <= INT32_MAX && start > 0 && start < 1e18))
		return (struct process_id){0, 0};
	return (struct process_id){(int)pid, (uint64_t)start};
}

/* Converts `start` of an identity to nanoseconds since boot. */
int64_t process_started_ns(uint64_t start);

/* Returns the `start` of a process that started between two times (ns since boot), or 0 if the interval contains more
 * than one candidate. */
uint64_t process_start_between(int64_t before_ns, int64_t after_ns);

enum { PROCESS_NAME_MAX = 16 };

/* One reading of a process. */
struct process_reading {
	struct process_id id;
	int ppid;
	char state; /* as in ps(1); 'Z' is a zombie */
	/* All threads, including ended ones; I/O counters include reaped children, because only that figure exists. */
	uint64_t own[COUNTER_COUNT];
	uint64_t inclusive[COUNTER_COUNT]; /* the process with its reaped descendants */
	bool io_known;                     /* false if the kernel hides I/O because we may not trace the process */
	uint64_t gauge[GAUGE_COUNT];       /* gauges that only process_read_rollup reads are GAUGE_UNKNOWN */
	uint64_t minor_faults;
	uint32_t wait_status; /* status of a zombie, as from wait(2) */
	/* It belongs to the tracker of this or another run, and therefore to no job, whatever its parent. */
	bool is_tracker;
	bool ignores_children;       /* it ignores SIGCHLD: the kernel reaps its children and drops their counters */
	bool has_reaped;             /* it has reaped at least one child */
	uint64_t cpu_ns;             /* process_cpu_ns, called before the other figures were read */
	char name[PROCESS_NAME_MAX]; /* short name of its program (comm); "" if unknown */
	int64_t energy_nj;           /* energy of its CPU time, excluding children; 0 if unknown */
	/* A number that fork copies and exec changes: two processes with the same number run the image of a common
	 * ancestor. 0 if unknown. */
	uint64_t image;
};

/* Reads the process that has this pid now; reads its I/O only if `with_io`. Two errors (process_is_gone) mean that the
 * process does not exist. After any other error it may still exist. */
int process_read(int pid, bool with_io, struct process_reading *reading);
static inline bool process_is_gone(int result)
{
	return result == OS_ERROR_MISSING || result == OS_ERROR_NO_PROCESS;
}

/* Clears the cells of a row of process.csv which the system reports for no process, so that the sum is unknown instead
 * of 0. */
void process_leave_empty(struct cell *cells);

/* Returns the CPU time of a process in ns, including ended threads, or 0 if unknown or there is no such process. Much
 * cheaper than process_read. */
uint64_t process_cpu_ns(int pid);

/* Memory limit for process_read_rollup, which walks the page tables of the process. A thread of the process that maps
 * memory waits until the walk ends. Larger processes are therefore not read. */
extern const uint64_t process_rollup_max_kib;

/* Reads the gauges whose cost grows with the memory of the process: GAUGE_MEMORY_KIB, the proportional set size, which
 * divides shared pages among their users, and the other gauges of the same file. Other gauges are unchanged. *own_kib:
 * private memory; unchanged if the system does not report it. */
int process_read_rollup(int pid, uint64_t gauges[GAUGE_COUNT], uint64_t *own_kib);

/* Reads the memory gauges that the kernel maintains as counters, so that the cost is independent of the size. They
 * count shared pages in full. *mapped_kib: file pages and shared memory. *peak_kib: raised to the largest resident set
 * of the image so far. Figures that the system does not report are unchanged. */
void process_read_status(int pid, uint64_t gauges[GAUGE_COUNT], uint64_t *mapped_kib, uint64_t *peak_kib);

/* Estimates how much of its resident set of `rss_kib` a process shares with no other, from a sample of its pages.
 * UINT64_MAX if unknown. The process is blocked for about 20 us at a time. */
uint64_t process_count_own_kib(int pid, uint64_t rss_kib);

/* Returns whether two processes share one address space, as a child of vfork and its parent do until the child calls
 * exec. False if unknown. */
bool process_shares_memory(int pid, int other);

/* Returns the resident memory that is neither file pages nor shared memory, in KiB, or 0 if unknown. */
uint64_t process_anonymous_kib(int pid);

/* Returns the largest resident set of another process's image so far, in KiB, or 0 if unknown. */
uint64_t process_read_peak_kib(int pid);

/* Returns the real user of a process's main thread, or 0 (root) if unknown. */
uint32_t process_real_user(int pid);

/* Memory limits of a process, in KiB; UINT64_MAX if unlimited or unknown. */
struct process_limits {
	uint64_t address_space_kib;      /* size of all mappings, populated or not (RLIMIT_AS) */
	uint64_t data_kib;               /* size of private writable mappings (RLIMIT_DATA) */
	uint64_t address_space_peak_kib; /* largest size of all mappings so far; 0 if unknown or unlimited */
};

/* `pid`: 0 for the calling process. */
void process_read_limits(int pid, struct process_limits *limits);

/* Resident part of the largest shared object that a process maps: a System V segment, a file in tmpfs, or MAP_SHARED |
 * MAP_ANONYMOUS memory. Processes that map the same object share its pages. */
struct process_shared {
	uint64_t kib;      /* lower bound; 0 if little or unknown */
	uint64_t size_kib; /* mapped size of the object */
	char object[40];   /* identifier, the same in every process */
};

/* `pid`: 0 for the calling process. */
void process_read_shared(int pid, struct process_shared *shared);

/* Returns the pid of the process that traces `pid` (ptrace), or 0 if none or unknown. */
int process_tracer(int pid);

/* Fills id->start for the calling process, whose pid is in `id`. */
int process_read_identity(struct process_id *id);

/* Reads the executable's path and the command line, with a NUL after each argument. Both are truncated to the buffers,
 * and empty if unknown. */
void process_describe(int pid, struct buffer *exe, struct buffer *command);

/* Reads the initial environment of a process, as NUL-terminated strings. Only processes of the same user are
 * readable. */
int64_t process_read_environment(int pid, char *data, size_t capacity);

/* -- ends ------------------------------------------------------------------------------------------ */

/* process_follow returns a descriptor that reports the end of a process, even after the process was reaped; negative if
 * unsupported. process_wait_status returns 0 with the status as from wait(2), or -1. */
int process_follow(int pid);
int process_wait_status(int followed, uint32_t *wait_status);

/* Waits up to `at_most_ns` until one of `count` processes has ended. Returns 1 if one has, 0 on timeout, or
 * OS_ERROR_UNSUPPORTED. */
int os_wait_for_end(const int *pids, size_t count, int64_t at_most_ns);

/* Sends a signal to this process, but not to a later process with the same pid. Returns 0 or a negative os_error. */
int process_signal(struct process_id id, int signal);

/* -- all processes --------------------------------------------------------------------------------- */

/* The pid assigned last, and the number of threads on the machine. While both are unchanged, no process was created or
 * reaped. process_tally_open returns a descriptor to keep open, or a negative value if the system has no reliable
 * source. */
struct process_tally {
	uint64_t last_pid;
	uint64_t threads;
};
int process_tally_open(void);
int process_tally_read(int file, struct process_tally *tally); /* 0, or a negative os_error */

/* The pids of all processes in ascending order, each with a number that changes when the pid is reused. The other
 * fields belong to the caller, and are initially zero. */
struct process_entry {
	struct process_id id; /* `start` belongs to the caller */
	uint64_t identity;
	int ppid;
	int member;
};
struct process_list {
	struct process_entry *entries;
	size_t count;
	size_t capacity;
};
/* Returns 0, or a negative os_error, and then `list` is incomplete. */
int process_list(struct process_list *list);
/* Derives a list from an earlier one, `before`. The pid assigned last was `from` at that time, and is `to` now.
 * Processes that are gone are removed; processes with a pid between the two are added. It costs a small part of a full
 * reading. It misses a process that has chosen a smaller pid since, and is wrong if the pids have wrapped around
 * completely. */
int process_list_renew(struct process_list *list, const struct process_list *before, uint64_t from, uint64_t to);
void process_list_release(struct process_list *list);

/* Returns the entry of a pid, or NULL. */
static inline const struct process_entry *process_list_find(const struct process_list *list, int pid)
{
	size_t from = 0, to = list->count;

	while (from < to) {
		size_t middle = (from + to) / 2;
		if (list->entries[middle].id.pid == pid)
			return &list->entries[middle];
		if (list->entries[middle].id.pid < pid)
			from = middle + 1;
		else
			to = middle;
	}
	return NULL;
}

#endif
