/* SPDX-License-Identifier: Apache-2.0 */
/* Reads processes: the calling process and others. As in all of os/, no function changes errno, allocates or
 * retries. */
#ifndef RTRACK_OS_PROCESS_H
#define RTRACK_OS_PROCESS_H

#include "core/base.h"
#include "core/figures.h"
#include "os/error.h"

/* Identifies a process. The kernel may reuse a pid, but never a pid together with a start time. A pid without a start
 * time is only passed to system calls, because it may already belong to another process. */
struct process_id {
	int pid;
	uint64_t start; /* start time in the unit of the system, as in column start_ticks of start.csv; 0 if unknown */
};

static inline bool process_is(struct process_id a, struct process_id b)
{
	return a.pid == b.pid && a.start == b.start;
}

/* Returns the process whose pid and start time are two cells of a table. The pid is 0 if the cells are invalid. */
static inline struct process_id process_id_of(double pid, double start)
{
	if (!(pid > 0 && pid <= INT32_MAX && start > 0 && start < 1e18))
		return (struct process_id){0, 0};
	return (struct process_id){(int)pid, (uint64_t)start};
}

/* Converts the start time in an identity to nanoseconds since boot. */
int64_t process_started_ns(uint64_t start);

/* Returns the `start` of a process that started between two times, given in ns since boot. Returns 0 if it is
 * ambiguous. */
uint64_t process_start_between(int64_t before_ns, int64_t after_ns);

enum { PROCESS_NAME_MAX = 16 };

/* The figures of a process, all read at one time. */
struct process_reading {
	struct process_id id;
	int ppid;
	char state; /* state letter of ps(1); 'Z' is a zombie */
	/* Usage of the process without its children. It includes threads that have ended. The I/O counters also include
	 * the I/O of reaped children, because the kernel adds it to them. */
	uint64_t own[COUNTER_COUNT];
	uint64_t inclusive[COUNTER_COUNT]; /* usage of the process and of its reaped descendants */
	/* false if I/O is hidden, because the kernel requires permission to ptrace the process */
	bool io_known;
	uint64_t gauge[GAUGE_COUNT]; /* GAUGE_UNKNOWN for gauges that only process_read_rollup reads */
	uint64_t minor_faults;
	uint32_t wait_status; /* exit status of a zombie, as from wait(2) */
	/* whether the process belongs to the tracker of any run; such a process is never part of a job */
	bool is_tracker;
	/* whether the process ignores SIGCHLD; the kernel then reaps its children, and their usage is lost */
	bool ignores_children;
	bool has_reaped;             /* whether the process has reaped at least one child */
	uint64_t cpu_ns;             /* result of process_cpu_ns before the other figures were read */
	char name[PROCESS_NAME_MAX]; /* short name of the program (comm); "" if unknown */
	int64_t energy_nj;           /* energy used by the process without its children; 0 if unknown */
	/* A number that fork copies and exec changes, or 0 if it is unknown. If two processes have the same number,
	 * neither has called exec since their common ancestor forked. */
	uint64_t image;
};

/* Reads the process that currently has this pid. Reads its I/O only if `with_io`. If the process does not exist,
 * process_is_gone is true for the result. After any other error, the process may exist. */
int process_read(int pid, bool with_io, struct process_reading *reading);
static inline bool process_is_gone(int result)
{
	return result == OS_ERROR_MISSING || result == OS_ERROR_NO_PROCESS;
}

/* Makes those cells of a row of process.csv unknown that this system cannot read for any process. Without this, their
 * sum would be 0. */
void process_leave_empty(struct cell *cells);

/* Returns the CPU time of a process in ns, including that of threads that have ended, or 0 if it is unknown. This call
 * is much cheaper than process_read. */
uint64_t process_cpu_ns(int pid);

/* Returns how long the living threads of a process have waited for a CPU since they started: the sum over the threads,
 * in ns, or 0 if unknown. `pid` 0 is the calling process. `threads` is the number of threads, because a process with
 * one thread can be read faster. */
uint64_t process_queued_ns(int pid, uint64_t threads);

/* Maximum size of a process that process_read_rollup reads. The call walks the page tables, and the threads of that
 * process cannot map memory meanwhile. A larger process would be disturbed for too long. */
extern const uint64_t process_rollup_max_kib;

/* Reads those gauges whose cost grows with the size of the process. Other gauges stay unchanged. GAUGE_MEMORY_KIB is
 * the proportional set size, which divides each shared page among the processes that map it. Sets *own_kib to the
 * private memory if the system reports it. */
int process_read_rollup(int pid, uint64_t gauges[GAUGE_COUNT], uint64_t *own_kib);

/* Reads the memory gauges that the kernel maintains as counters. The cost does not depend on the size of the process.
 * Shared pages are included in full. Sets *mapped_kib to the file pages and shared memory. Raises *peak_kib to the
 * largest resident set since exec. Figures that the system does not report stay unchanged. */
void process_read_status(int pid, uint64_t gauges[GAUGE_COUNT], uint64_t *mapped_kib, uint64_t *peak_kib);

/* Estimates the resident memory that a process shares with no other process, from a sample of its pages. Returns
 * UINT64_MAX if it is unknown. During the call, the process is repeatedly prevented from mapping memory, for about 20
 * us each time. */
uint64_t process_count_own_kib(int pid, uint64_t rss_kib);

/* Returns whether two processes share one address space. A child of vfork shares that of its parent until it calls
 * exec. Returns false if it is unknown. */
bool process_shares_memory(int pid, int other);

/* Returns the resident anonymous memory in KiB, without file pages and shared memory, or 0 if unknown. */
uint64_t process_anonymous_kib(int pid);

/* Returns the largest resident set of another process since its last exec in KiB, or 0 if unknown. */
uint64_t process_read_peak_kib(int pid);

/* Returns the real user of a process's main thread, or 0 (root) if unknown. */
uint32_t process_real_user(int pid);

/* Limits of a process, sizes in KiB; UINT64_MAX if unlimited or unknown. */
struct process_limits {
	uint64_t address_space_kib;      /* maximum size of all mappings (RLIMIT_AS) */
	uint64_t data_kib;               /* maximum size of private writable mappings (RLIMIT_DATA) */
	uint64_t address_space_peak_kib; /* peak size of all mappings; 0 if unknown or unlimited */
	/* Maximum CPU time in s (RLIMIT_CPU). At the soft limit the kernel sends SIGXCPU, at the hard limit SIGKILL. */
	uint64_t cpu_soft, cpu_hard;
};

/* Reads the limits of a process; `pid` 0 is the calling process. */
void process_read_limits(int pid, struct process_limits *limits);

/* Returns the limit of CPU time, in s, that ended a process, or UINT64_MAX if there is no limit. For a running process,
 * returns the limit that it will reach next. `signal` is the signal that ended the process, or 0 if unknown. */
uint64_t process_cpu_limit(const struct process_limits *limits, uint64_t cpu_ns, int signal);
/* Returns whether a process probably ended because it had used `limit` seconds of CPU time. `signal` is the signal that
 * ended the process, or 0 if unknown. */
bool process_is_at_cpu_limit(double limit, double cpu_seconds, int signal);

/* Largest shared object that a process maps. An object is a System V segment, a file in tmpfs, or MAP_SHARED |
 * MAP_ANONYMOUS memory. Processes that map the same object share its pages. */
struct process_shared {
	uint64_t kib;      /* lower bound of the resident part of the object; 0 if it is small or unknown */
	uint64_t size_kib; /* size of the object up to the end of the mapping */
	char object[40];   /* Identifier of the object. All processes that map the object have the same identifier. */
};

/* Reads the largest shared object of a process; `pid` 0 is the calling process. */
void process_read_shared(int pid, struct process_shared *shared);

/* Returns the pid of the process that traces `pid` with ptrace. Returns 0 if there is none or it is unknown. */
int process_tracer(int pid);

/* Reads the start time of the calling process into id->start. id->pid must already be set. */
int process_read_identity(struct process_id *id);

/* Reads the path of the executable, and the command line. A NUL follows each argument of the command line. Each text is
 * truncated to its buffer, and is empty if it is unknown. */
void process_describe(int pid, struct buffer *exe, struct buffer *command);

/* Reads the environment that a process had at its exec, as NUL-terminated strings. Only processes of the same user are
 * readable. */
int64_t process_read_environment(int pid, char *data, size_t capacity);

/* Reads the beginning of the file to which the stdout of a process refers. Returns the number of bytes, or a negative
 * os_error if stdout is not a regular file. Only processes of the same user are readable. */
int64_t process_read_stdout(int pid, char *data, size_t capacity);

/* -- ends ------------------------------------------------------------------------------------------ */

/* process_follow returns a descriptor that reports the end of a process, even if another process reaps it. The result
 * is negative if the system does not support this. process_wait_status stores the status as from wait(2), and returns
 * 0, or -1 if the status is unknown. */
int process_follow(int pid);
int process_wait_status(int followed, uint32_t *wait_status);

/* process_open_io opens the I/O counters of a living process, because only root can open those of a process that has
 * ended. It returns a descriptor or a negative value. process_read_io reads the counters into a reading of that
 * process, and works until the process is reaped. */
int process_open_io(int pid);
void process_read_io(int file, struct process_reading *reading);

/* Waits until one of `count` processes ends, for at most `at_most_ns`. Returns 1 if one has ended, 0 after the time has
 * passed, or OS_ERROR_UNSUPPORTED. */
int os_wait_for_end(const int *pids, size_t count, int64_t at_most_ns);

/* Sends a signal to the process `id`, but never to another process that has reused the pid. Returns 0 or a negative
 * os_error. */
int process_signal(struct process_id id, int signal);

/* -- all processes --------------------------------------------------------------------------------- */

/* The pid that was assigned last, and the number of threads on the machine. While both stay the same, no process is
 * created or reaped. */
struct process_tally {
	uint64_t last_pid;
	uint64_t threads;
};
/* Returns a descriptor for process_tally_read, or a negative value if the system has no reliable source. */
int process_tally_open(void);
int process_tally_read(int file, struct process_tally *tally); /* returns 0 or a negative os_error */

/* The pids of all processes in ascending order. Each has a number that changes when the pid is reused. The other fields
 * are for the caller, and are initially zero. */
struct process_entry {
	struct process_id id; /* `start` is not filled; the caller may use it */
	uint64_t identity;
	int ppid;
	int member;
};
struct process_list {
	struct process_entry *entries;
	size_t count;
	size_t capacity;
};
/* Returns 0 or a negative os_error. After an error, `list` is incomplete. */
int process_list(struct process_list *list);
/* Makes a current list from `before`, an earlier list, at a fraction of the cost of process_list. Drops processes that
 * have ended, and adds those with pids from `from` to `to`. These are the pids that were assigned last at the time of
 * `before`, and now. A process that chose its pid (clone3 with set_tid) is missed. The list may be incomplete if the
 * kernel has assigned every pid once since then. */
int process_list_renew(struct process_list *list, const struct process_list *before, uint64_t from, uint64_t to);
void process_list_release(struct process_list *list);

/* Returns the entry with this pid, or NULL. */
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
