/* SPDX-License-Identifier: Apache-2.0 */
/* Processes: this one and others. As in all of os/, no function changes errno, allocates or retries. */
#ifndef RTRACK_OS_PROCESS_H
#define RTRACK_OS_PROCESS_H

#include "core/base.h"
#include "core/figures.h"
#include "os/error.h"

/* Identifies a process. A pid can be reused, but not together with its start time. A bare pid is only passed to system
 * calls, and may already belong to another process. */
struct process_id {
	int pid;
	uint64_t start; /* start time in the system's unit, as in column start_ticks of start.csv; 0 if unknown */
};

static inline bool process_is(struct process_id a, struct process_id b)
{
	return a.pid == b.pid && a.start == b.start;
}

/* Returns the process identified by two cells of a table. Its pid is 0 if the cells are invalid. */
static inline struct process_id process_id_of(double pid, double start)
{
	if (!(pid > 0 && pid <= INT32_MAX && start > 0 && start < 1e18))
		return (struct process_id){0, 0};
	return (struct process_id){(int)pid, (uint64_t)start};
}

/* Converts `start` of an identity to nanoseconds since boot. */
int64_t process_started_ns(uint64_t start);

/* Returns the `start` of a process that started between two times (ns since boot), or 0 if it is ambiguous. */
uint64_t process_start_between(int64_t before_ns, int64_t after_ns);

enum { PROCESS_NAME_MAX = 16 };

/* What was read about a process at one time. */
struct process_reading {
	struct process_id id;
	int ppid;
	char state; /* as in ps(1); 'Z' is a zombie */
	/* Usage of all threads, including ended ones. The kernel adds the I/O of reaped children, so I/O counters
	 * include it. */
	uint64_t own[COUNTER_COUNT];
	uint64_t inclusive[COUNTER_COUNT]; /* usage of the process and its reaped descendants */
	/* false if the kernel hides I/O because this process may not ptrace the other one */
	bool io_known;
	uint64_t gauge[GAUGE_COUNT]; /* values that only process_read_rollup reads are GAUGE_UNKNOWN */
	uint64_t minor_faults;
	uint32_t wait_status; /* exit status of a zombie, as from wait(2) */
	/* The process belongs to the tracker of any run. It is part of no job, whatever its parent. */
	bool is_tracker;
	/* the process ignores SIGCHLD, so the kernel reaps its children and drops their counters */
	bool ignores_children;
	bool has_reaped;             /* it has reaped at least one child */
	uint64_t cpu_ns;             /* process_cpu_ns, read before the other figures */
	char name[PROCESS_NAME_MAX]; /* short name of its program (comm); "" if unknown */
	int64_t energy_nj;           /* energy used by the process without its children; 0 if unknown */
	/* A number that fork copies and exec changes. Two processes with the same number have not called exec since
	 * their common ancestor forked. 0 if unknown. */
	uint64_t image;
};

/* Reads the process that has this pid at the moment; reads its I/O only if `with_io`. After two of the errors, the
 * process does not exist (process_is_gone). After others it may exist. */
int process_read(int pid, bool with_io, struct process_reading *reading);
static inline bool process_is_gone(int result)
{
	return result == OS_ERROR_MISSING || result == OS_ERROR_NO_PROCESS;
}

/* Makes those cells of a row of process.csv unknown that this system reports for no process. Otherwise their sum would
 * be 0. */
void process_leave_empty(struct cell *cells);

/* Returns the CPU time of a process in ns, including ended threads, or 0 if unknown. It is much cheaper than
 * process_read. */
uint64_t process_cpu_ns(int pid);

/* Maximum size of a process for process_read_rollup, which walks the page tables. While it walks, threads of that
 * process cannot map memory. Larger processes are therefore not read. */
extern const uint64_t process_rollup_max_kib;

/* Reads the gauges whose cost grows with the size of the process. GAUGE_MEMORY_KIB is the proportional set size, which
 * divides shared pages among the processes that map them. Other gauges are unchanged. Sets *own_kib to the private
 * memory if the system reports it. */
int process_read_rollup(int pid, uint64_t gauges[GAUGE_COUNT], uint64_t *own_kib);

/* Reads the memory gauges that the kernel maintains as counters. Shared pages count in full. The cost is independent of
 * the size of the process. *mapped_kib: file pages and shared memory. *peak_kib is raised to the largest resident set
 * since exec. Figures that the system does not report are unchanged. */
void process_read_status(int pid, uint64_t gauges[GAUGE_COUNT], uint64_t *mapped_kib, uint64_t *peak_kib);

/* Estimates the part of the resident set that a process shares with no other, from a sample of its pages. Returns
 * UINT64_MAX if unknown. The process cannot map memory for about 20 us at a time. */
uint64_t process_count_own_kib(int pid, uint64_t rss_kib);

/* Returns whether two processes share one address space. A child of vfork shares its parent's until it calls exec.
 * False if unknown. */
bool process_shares_memory(int pid, int other);

/* Returns the resident anonymous memory in KiB, without file pages and shared memory, or 0 if unknown. */
uint64_t process_anonymous_kib(int pid);

/* Returns the largest resident set of another process since its last exec in KiB, or 0 if unknown. */
uint64_t process_read_peak_kib(int pid);

/* Returns the real user of a process's main thread, or 0 (root) if unknown. */
uint32_t process_real_user(int pid);

/* Memory limits of a process in KiB; UINT64_MAX if unlimited or unknown. */
struct process_limits {
	uint64_t address_space_kib;      /* maximum size of all mappings (RLIMIT_AS) */
	uint64_t data_kib;               /* maximum size of private writable mappings (RLIMIT_DATA) */
	uint64_t address_space_peak_kib; /* peak size of all mappings; 0 if unknown or unlimited */
};

/* Reads the limits of a process; `pid` 0 is the calling process. */
void process_read_limits(int pid, struct process_limits *limits);

/* Largest shared object that a process maps: a System V segment, a file in tmpfs, or MAP_SHARED | MAP_ANONYMOUS memory.
 * Processes that map one object share its pages. */
struct process_shared {
	uint64_t kib;      /* resident part of the object, a lower bound; 0 if little or unknown */
	uint64_t size_kib; /* mapped size of the object */
	char object[40];   /* identifier of the object, equal in every process */
};

/* Reads the largest shared object of a process; `pid` 0 is the calling process. */
void process_read_shared(int pid, struct process_shared *shared);

/* Returns the pid of the process that traces `pid` with ptrace, or 0 if there is none or it is unknown. */
int process_tracer(int pid);

/* Fills id->start for the calling process, whose pid is in `id`. */
int process_read_identity(struct process_id *id);

/* Reads the executable's path and the command line, in which a NUL follows each argument. Both are truncated to the
 * buffers, and empty if unknown. */
void process_describe(int pid, struct buffer *exe, struct buffer *command);

/* Reads the initial environment of a process, as NUL-terminated strings. Only processes of the same user are
 * readable. */
int64_t process_read_environment(int pid, char *data, size_t capacity);

/* -- ends ------------------------------------------------------------------------------------------ */

/* process_follow returns a descriptor that reports the end of a process, even if another process reaps it. The
 * descriptor is negative if unsupported. process_wait_status returns 0 and the status as from wait(2), or -1. */
int process_follow(int pid);
int process_wait_status(int followed, uint32_t *wait_status);

/* process_open_io returns a descriptor of the I/O counters of a living process, or a negative value. process_read_io
 * reads them into a reading of that process, also when it has ended and is not reaped yet. Only root can open the
 * counters of an ended process. */
int process_open_io(int pid);
void process_read_io(int file, struct process_reading *reading);

/* Waits for up to `at_most_ns` until one of `count` processes ends. Returns 1 if one has ended, 0 on timeout, or
 * OS_ERROR_UNSUPPORTED. */
int os_wait_for_end(const int *pids, size_t count, int64_t at_most_ns);

/* Sends a signal to this process, but never to a later process with its pid. Returns 0 or a negative os_error. */
int process_signal(struct process_id id, int signal);

/* -- all processes --------------------------------------------------------------------------------- */

/* The pid assigned last, and the number of threads on the machine. While both are unchanged, no process was created or
 * reaped. process_tally_open returns a descriptor, or a negative value if the system has no reliable source. */
struct process_tally {
	uint64_t last_pid;
	uint64_t threads;
};
int process_tally_open(void);
int process_tally_read(int file, struct process_tally *tally); /* returns 0 or a negative os_error */

/* The pids of all processes in ascending order, each with a number that changes when the pid is reused. The caller may
 * use the other fields, which are initially zero. */
struct process_entry {
	struct process_id id; /* `start` is for the caller's use */
	uint64_t identity;
	int ppid;
	int member;
};
struct process_list {
	struct process_entry *entries;
	size_t count;
	size_t capacity;
};
/* Returns 0, or a negative os_error; then `list` is incomplete. */
int process_list(struct process_list *list);
/* Updates `before`, an earlier list, at a fraction of the cost of process_list. Removes ended processes, and adds
 * processes with pids from `from` to `to`: the pids assigned last, then and now. It misses a process that chose its pid
 * (clone3 with set_tid), and fails if pids have wrapped around completely. */
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
