/* Processes, this one and others; see file.h for the blanket conditions. */
#ifndef RTRACK_OS_PROCESS_H
#define RTRACK_OS_PROCESS_H

#include "core/base.h"
#include "core/figures.h"
#include "os/error.h"

/* A process, identified for good: a pid is used again, a pid with the instant of its start is not. A bare pid is only
 * an argument of system calls; it may be another process by now. */
struct process_id {
	int pid;
	uint64_t start; /* in the system's own unit, as in column start_ticks of start.csv; 0: unknown */
};

static inline bool process_is(struct process_id a, struct process_id b)
{
	return a.pid == b.pid && a.start == b.start;
}

/* The process that two cells of a table mean; pid 0: none, as they are no numbers of an identity. */
static inline struct process_id process_id_of(double pid, double start)
{
	if (!(pid > 0 && pid <= INT32_MAX && start > 0 && start < 1e18))
		return (struct process_id){0, 0};
	return (struct process_id){(int)pid, (uint64_t)start};
}

/* When a process started, in nanoseconds since boot, from `start` of its identity. */
int64_t process_started_ns(uint64_t start);

/* The `start` of a process that started between two instants (ns since boot); 0 where the two do not determine it. */
uint64_t process_start_between(int64_t before_ns, int64_t after_ns);

enum { PROCESS_NAME_MAX = 16 };

/* What is read of a process at an instant. */
struct process_reading {
	struct process_id id;
	int ppid;
	char state;                  /* as ps(1) shows it; 'Z' is a zombie */
	uint64_t own[COUNTER_COUNT]; /* all its threads, ended ones included; of I/O only the inclusive figure is known,
					so that is here too */
	uint64_t inclusive[COUNTER_COUNT]; /* with the children that it reaped, and those that they reaped */
	bool io_known;                     /* the kernel shows I/O only to processes that may trace this one */
	uint64_t gauge[GAUGE_COUNT];       /* those that process_read_dear alone reads are GAUGE_UNKNOWN */
	uint64_t minor_faults;
	uint32_t wait_status;  /* of a zombie, as wait(2) gives it */
	bool is_tracker;       /* it works for the record of a run, this or another: no job's, whatever its parent is */
	bool ignores_children; /* it ignores SIGCHLD: the kernel reaps its children, and adds them to no account */
	bool has_reaped;       /* some child at least */
	uint64_t cpu_ns;       /* process_cpu_ns before all else was read */
	char name[PROCESS_NAME_MAX]; /* the system's short one, of the program that it runs; "": unknown */
	int64_t energy_nj;           /* of its CPU time, without its children's; 0: the system does not tell */
	/* A number that fork copies and exec draws anew: two processes with the same number run the image of one
	 * ancestor. 0: unknown, or the system cannot tell images apart. */
	uint64_t image;
};

/* Reads the process that has this pid now, its I/O only if `with_io`. Only of two errors process_is_gone says that no
 * process has it; all others leave that open: nothing can be read of it now. */
int process_read(int pid, bool with_io, struct process_reading *reading);
static inline bool process_is_gone(int result)
{
	return result == OS_ERROR_MISSING || result == OS_ERROR_NO_PROCESS;
}

/* Leaves empty what the system tells of no process in a row of process.csv, where the sum over processes says 0. */
void process_leave_empty(struct cell *cells);

/* The CPU time of a process, ended threads included, in ns; 0: there is no such process, or the system does not tell.
 * Far cheaper than process_read. */
uint64_t process_cpu_ns(int pid);

/* A process of more memory than this is not to be read by process_read_dear. That walks its page tables, and a thread
 * of the process that maps memory waits for the end of the walk. */
extern const uint64_t process_dear_max_kib;

/* Reads the gauges that cost more the more memory the process has. They are GAUGE_MEMORY_KIB, the proportional set
 * size, which divides shared pages among their users, and the others that the same file tells. All other gauges are
 * left as they are. `own_kib`: what no other process has; left as it is where the system does not tell. */
int process_read_dear(int pid, uint64_t gauges[GAUGE_COUNT], uint64_t *own_kib);

/* Reads what the system counts anyway of memory by kinds, whatever its size; shared pages are in it in full.
 * `mapped_kib`: of files and of shared memory; `peak_kib` is raised to the largest resident set of the image so far.
 * What the system does not tell is left as it is. */
void process_read_kinds(int pid, uint64_t gauges[GAUGE_COUNT], uint64_t *mapped_kib, uint64_t *peak_kib);

/* How much of its resident set of `rss_kib` a process shares with no other, by a part of its pages; UINT64_MAX:
 * unknown. The process is held up for some 20 us at a time. */
uint64_t process_count_own_kib(int pid, uint64_t rss_kib);

/* Whether two processes have one memory, as a child of vfork and its parent have until it executes. False where the
 * system does not tell. */
bool process_shares_memory(int pid, int other);

/* Its resident memory that is of no file, and not shared memory either, in KiB; 0: unknown. */
uint64_t process_anonymous_kib(int pid);

/* The largest resident set of another process' image so far, in KiB; 0: unknown. */
uint64_t process_read_peak_kib(int pid);

/* The real user of a process' main thread; 0, as root's, where the system does not tell. */
uint32_t process_real_user(int pid);

/* What the system lets a process have of memory, in KiB; UINT64_MAX: all that there is, or it cannot be told. */
struct process_limits {
	uint64_t address_space_kib;      /* of mappings, whether anything is in them or not (RLIMIT_AS) */
	uint64_t data_kib;               /* of those that are its own and can be written to (RLIMIT_DATA) */
	uint64_t address_space_peak_kib; /* the most that it had of the first; 0: unknown, or not limited */
};

/* `pid` 0: the calling process. */
void process_read_limits(int pid, struct process_limits *limits);

/* What a process has in its memory of the largest object that it maps and shares: a segment of SysV, a file in tmpfs,
 * memory of MAP_SHARED | MAP_ANONYMOUS. Other processes that map the same object have the same pages. */
struct process_shared {
	uint64_t kib;      /* at least; 0: little, or unknown */
	uint64_t size_kib; /* of the object, as far as the process maps it */
	char object[40];   /* its name, the same in each process */
};

/* `pid` 0: the calling process. */
void process_read_shared(int pid, struct process_shared *shared);

/* The pid of the process that traces it (ptrace); 0: none, or it cannot be told. */
int process_tracer(int pid);

/* Fills the start of `id`, which has the pid of the calling process. */
int process_read_identity(struct process_id *id);

/* The executable's path and the command line, a NUL behind each argument. Cut to the buffers' capacities; empty where
 * the system does not tell. */
void process_describe(int pid, struct buffer *exe, struct buffer *command);

/* The environment that the process was started with, as NUL-terminated strings; only processes of our own user are
 * readable. */
int64_t process_read_environment(int pid, char *data, size_t capacity);

/* -- ends ------------------------------------------------------------------------------------------ */

/* process_follow: a descriptor by which the end of a process can be learnt later, even after it was reaped; negative
 * where the system has none. process_wait_status asks it: 0 and the status as wait(2) gives it, or -1. */
int process_follow(int pid);
int process_wait_status(int followed, uint32_t *wait_status);

/* Waits until the first of `count` processes has ended, at most `at_most_ns`. 1: one has; 0: none has in that time, as
 * far as the system tells; OS_ERROR_UNSUPPORTED where it cannot. */
int os_wait_for_end(const int *pids, size_t count, int64_t at_most_ns);

/* Sends a signal to this very process, and to none that has got its pid since. 0, or a negative os_error. */
int process_signal(struct process_id id, int signal);

/* -- all of them ----------------------------------------------------------------------------------- */

/* Which pid was given last, and how many threads there are: while both stay the same, no process was born or reaped.
 * The file for it is kept open; negative: the system has none that can be believed. */
struct process_tally {
	uint64_t last_pid;
	uint64_t threads;
};
int process_tally_open(void);
int process_tally_read(int file, struct process_tally *tally); /* 0, or a negative os_error */

/* The pids of all processes, ascending, with a number that changes when the pid is reused. The rest is
 * for the caller, zero at first. */
struct process_entry {
	struct process_id id; /* `start` is for the caller */
	uint64_t identity;
	int ppid;
	int member;
};
struct process_list {
	struct process_entry *entries;
	size_t count;
	size_t capacity;
};
/* 0, or a negative os_error: then `list` is not all of them, if any. */
int process_list(struct process_list *list);
/* The same from a list that was read `before`. The last pid was `from` then, and is `to` now. A process that is gone is
 * left out, and one with a pid between these two is added. It costs a small part of a reading. It lacks a process that
 * has chosen a smaller pid since, and is wrong where all pids have been given once more. */
int process_list_renew(struct process_list *list, const struct process_list *before, uint64_t from, uint64_t to);
void process_list_release(struct process_list *list);

/* The entry of a pid, or NULL. */
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
