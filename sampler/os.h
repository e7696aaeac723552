/* The operating system as the sampler and the library see it: one folder per platform implements it
 * (sampler/linux/; sampler/darwin/ is to come), chosen by the Makefile.
 *
 * Blanket conditions: nothing here touches errno, allocates from a C library, prints, or retries in a
 * loop. Integers returned are a result or a negative errno. Descriptors are close-on-exec. Times are
 * nanoseconds; sizes are bytes unless the name says KiB. */
#ifndef RTRACK_SAMPLER_OS_H
#define RTRACK_SAMPLER_OS_H

#include "core/base.h"

/* -- files ------------------------------------------------------------------------------------- */

enum { OS_HERE = -100 }; /* as `directory`: paths are relative to the working directory */

/* Appends `data` with one write to a file that exists already, and leaves no descriptor behind.
 * Neither a signal (RLIMIT_FSIZE) nor a symbolic link at the end of the path gets through.
 * `limit` > 0: nothing is written (-EFBIG) to a file of that size or larger. -EPERM: it is not this user's file. */
int os_append(int directory, const char *path, struct text data, uint64_t limit);

/* Makes a file of mode 0600 that must not exist yet, with `data` in it. */
int os_create(int directory, const char *path, struct text data);

/* Reads at most `capacity` bytes from the file's beginning; returns how many. */
int64_t os_read(int directory, const char *path, char *data, size_t capacity);

/* The same with a single read(2), for files of /proc and /sys that give all they have at once. */
int64_t os_read_once(int directory, const char *path, char *data, size_t capacity);

int os_open(int directory, const char *path);           /* for reading */
int os_open_append(int directory, const char *path);    /* for appending */
int os_open_directory(int directory, const char *path); /* follows no link at its end */
void os_close(int descriptor);
int64_t os_read_at(int descriptor, char *data, size_t capacity, uint64_t offset);
int64_t os_write(int descriptor, struct text data); /* guarded against SIGXFSZ like os_append */
int64_t os_size(int descriptor);
int64_t os_read_link(int directory, const char *path, char *data, size_t capacity);
int os_make_directory(const char *path); /* 0700 */
int os_rename(int directory, const char *from, const char *to);
int os_remove(int directory, const char *path);
int os_remove_directory(const char *path);
int os_make_link(const char *target, int directory, const char *path);
bool os_exists(int directory, const char *path);
/* 0 when `path` is a directory that belongs to this user or root and that nobody else may write to
 * (or a sticky one, if allowed); a symbolic link must belong to this user or root as well.
 * -ENOTDIR, -EPERM, or why it cannot be looked at. */
int os_check_directory(const char *path, bool sticky_allowed);
/* Takes the advisory lock on an open file: 0, or -EAGAIN when it is held and `wait` is not set. */
int os_lock(int descriptor, bool wait);
/* How long ago the file was written to last (ns, by the wall clock); -ENOENT … */
int64_t os_age_ns(int directory, const char *path);

/* -- memory, time, identity -------------------------------------------------------------------- */

void *os_map(size_t size);                                /* zeroed; NULL when there is none */
void *os_remap(void *data, size_t old_size, size_t size); /* may move; NULL, with the old one kept */
void os_unmap(void *data, size_t size);

/* The number of this process' PID namespace (the inode of /proc/self/ns/pid, namespaces(7)); 0: unknown. */
uint64_t os_pid_namespace(void);

/* A number for the /proc in which this process is what getpid() says; 0: there is none, or it is another namespace's.
 * Two that see the same /proc so mean the same by a pid. It costs less than os_pid_namespace, for which the kernel
 * first has to make what /proc shows of a process. */
uint64_t os_pid_view(void);

int64_t os_now_ns(void);        /* since the epoch */
int64_t os_since_boot_ns(void); /* for differences; counts suspended time */
void os_sleep(int64_t ns);
/* Waits until the first of `count` processes has ended, at most so long; -ENOSYS where the system cannot. */
int os_wait_for_end(const int *pids, size_t count, int64_t at_most_ns);
uint16_t os_random(void);
int os_pid(void);
int os_parent(void);
uint32_t os_user(void);
bool os_is_privileged(void); /* real and effective ids differ: the environment is not to be trusted */
int os_working_directory(char *data, size_t capacity);
int os_host_name(char *data, size_t capacity);
/* The user's name from the user database's plain file, or -ENOENT. */
int os_user_name(uint32_t uid, char *data, size_t capacity);

/* -- one process ------------------------------------------------------------------------------- */

enum counter {
	COUNTER_USER_NS,
	COUNTER_SYSTEM_NS,
	COUNTER_DISK_READ,
	COUNTER_DISK_WRITE,
	COUNTER_READ_CHARS,
	COUNTER_WRITE_CHARS,
	COUNTER_MAJOR_FAULTS,
	COUNTER_COUNT
};

/* What is read of a process at an instant. */
struct process_reading {
	int ppid;
	char state; /* as ps(1) shows it; 'Z' is a zombie */
	uint64_t start_ticks;
	uint64_t own[COUNTER_COUNT];       /* its threads, dead ones included; I/O counters are inclusive here too */
	uint64_t inclusive[COUNTER_COUNT]; /* with the children that it reaped, and theirs */
	bool io_known;                     /* I/O is only shown to those who may trace the process */
	uint64_t minor_faults;
	uint64_t rss_kib;
	uint32_t threads;
	uint32_t wait_status; /* of a zombie: as wait(2) gives it */
	/* What fork copies and exec draws anew, from the random addresses of the image: two processes that share it
	 * run the image of one ancestor. 0: unknown, or addresses are not random here. */
	uint64_t image;
};

/* A descriptor by which the end of a process can be learnt later, even after it was reaped; negative where the
 * system has none. And what it tells: 0 and the status as wait(2) gives it, or -1 (before Linux 6.15). */
int process_follow(int pid);
int process_wait_status(int followed, uint32_t *wait_status);

/* Reads a process, /proc/PID/io included only if `with_io`. -ENOENT: there is none of that pid. */
int process_read(int pid, bool with_io, struct process_reading *reading);

/* The proportional set size in KiB, from smaps_rollup: shared pages are divided among their users. Its
 * cost grows with the memory (some 3 us a MiB of small pages): ledger.c budgets it. */
int process_read_pss(int pid, uint64_t *pss_kib);

/* The executable's path and the command line with spaces between the arguments, for start.csv.
 * Cut to the buffers' capacities; empty where the kernel does not tell. */
void process_describe(int pid, struct buffer *exe, struct buffer *command);

/* The environment that the process was started with, as NUL-terminated strings; only of our own user's. */
int64_t process_read_environment(int pid, char *data, size_t capacity);

/* The pids of all processes, ascending, with a number that changes when the pid is reused. The rest is
 * for the caller, zero at first. */
struct process_entry {
	int pid;
	uint64_t identity;
	uint64_t start_ticks;
	int ppid;
	int member;
};
struct process_list {
	struct process_entry *entries;
	size_t count;
	size_t capacity;
};
int process_list(struct process_list *list);
void process_list_release(struct process_list *list);

/* The calling process' own final figures, for exit.csv. Disk bytes are of the process alone here, since getrusage(2)
 * counts them as blocks of 512 bytes without the children's, which /proc/PID/io includes. */
struct process_usage {
	uint64_t own[COUNTER_COUNT];      /* but for COUNTER_READ_CHARS and COUNTER_WRITE_CHARS: 0 */
	uint64_t children[COUNTER_COUNT]; /* of the children that it reaped; the same counters */
	uint64_t minor_faults;
	uint64_t voluntary_switches;
	uint64_t involuntary_switches;
	uint64_t peak_rss_kib; /* VmHWM of this image; 0: unknown */
	/* The largest ru_maxrss of the children that it reaped; it may hold what a child was forked from. */
	uint64_t children_peak_kib;
};

/* The largest resident set of any image of this process so far, in KiB (ru_maxrss of getrusage(2)): it survives exec,
 * and starts with the parent's memory that fork copied. */
uint64_t process_peak_rss_kib(void);

/* `before_kib`: what process_peak_rss_kib said when this image began. If it has grown, the growth is this image's,
 * else /proc/self/status is read. */
void process_read_self(struct process_usage *usage, uint64_t before_kib);

/* sysconf(_SC_CLK_TCK) is 100 on both processors: USER_HZ is part of the kernel's interface. */
#define NS_PER_TICK 10000000

/* The largest resident set of another process' image so far (VmHWM of proc_pid_status(5)), in KiB; 0: unknown. */
uint64_t process_read_peak_kib(int pid);

/* Start ticks and parent of the calling process. */
int process_read_identity(uint64_t *start_ticks, int *ppid);

/* CPU time (ns) of the calling thread, and of the whole calling process, as user and system. */
void thread_usage(uint64_t cpu_ns[2]);
void process_own_usage(uint64_t cpu_ns[2]);
void process_children_usage(uint64_t cpu_ns[2]);
/* I/O of the calling thread: COUNTER_DISK_READ … COUNTER_WRITE_CHARS of `counters` are set. */
int thread_io(uint64_t counters[COUNTER_COUNT]);

/* -- the machine -------------------------------------------------------------------------------- */

struct system_state; /* what differences need; lives in the caller's memory */
size_t system_state_size(void);
int system_open(struct system_state *state);
void system_close(struct system_state *state);
/* Fills the cells (numbers) of one row of system.csv but for `timestamp`, `processes` and `tracker_cpu`;
 * counters are differences since the call before; `elapsed_ns` is the time since then. */
struct cell;
void system_read(struct system_state *state, int64_t elapsed_ns, struct cell *cells);
unsigned system_cpus(const struct system_state *state); /* on line */

/* Facts for run.json's server{}: cut to the buffer; unknown ones are left out. */
struct json;
void system_describe(struct json *json);

#endif
