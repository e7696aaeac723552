/* The calling process: its identity, and what it used; see file.h for the blanket conditions. */
#ifndef RTRACK_OS_SELF_H
#define RTRACK_OS_SELF_H

#include "core/base.h"
#include "core/figures.h"
#include "os/error.h"

int os_pid(void);
int os_parent(void);
bool os_keeps_orphans(void); /* processes below it become its children when their parents end */
uint32_t os_user(void);
bool os_is_privileged(void); /* real and effective ids differ: the environment is not to be trusted */
uint16_t os_random(void);

/* Whether what it says of itself at its end may not be all: valgrind runs it, and goes on; or, of one that is `alone`
 * to tell, other threads work while exit() writes what is left. */
bool os_goes_on(bool alone);
int os_working_directory(char *data, size_t capacity);
int os_host_name(char *data, size_t capacity);

/* The user's name from the user database's plain file, or OS_ERROR_MISSING. */
int os_user_name(uint32_t uid, char *data, size_t capacity);

/* The path of the file that this process runs, without a NUL; returns its length. */
int64_t os_executable(char *data, size_t capacity);

/* The same without a look into /proc: `name`, by which it was executed, with the links in it followed. `known`: a path
 * that holds no links. Negative where that may be another file than the one that runs. */
int64_t os_executable_by_name(char *data, size_t capacity, const char *name, struct text known);

/* The arguments of this process, each with its NUL; returns their length. */
int64_t os_command_line(char *data, size_t capacity);

/* Below this number are all descriptors that can be opened now. */
int os_descriptor_limit(void);

/* Closes all descriptors of this process from `first` on; where it is unknown which they are, those below some
 * thousands.
 */
void os_close_from(int first);

static inline void os_close_all(void)
{
	os_close_from(0);
}

/* Lets this process open as many as it may let itself. */
void os_raise_descriptor_limit(void);

/* A text that is another one after each start of the machine, and on each machine; empty: unknown. */
enum { OS_BOOT_MAX = 64 };
struct text os_boot(char text[OS_BOOT_MAX]);

/* The number of this process' PID namespace; 0: unknown. */
uint64_t os_pid_namespace(void);

/* Whether no process is left in the PID namespace in which one began at `start`, as in struct process_id. Only where
 * all namespaces can be seen from this one. The kernel gives the number of a namespace that is gone to the next; but
 * the first process of a namespace is the oldest there, and none outlives it. So a process that began later tells
 * nothing. */
bool os_pid_namespace_is_gone(uint64_t number, uint64_t start);

/* A number for the PID namespace in which this process has `pid`, which os_pid gives; 0: /proc is not there, or is
 * another namespace's. Two processes with the same number mean the same process by a pid. Cheaper than
 * os_pid_namespace. */
uint64_t os_pid_view(int pid);

/* -- what it used ---------------------------------------------------------------------------------- */

/* The calling process' own final figures, for exit.csv. Disk bytes are of the process alone here. */
struct process_usage {
	uint64_t own[COUNTER_COUNT];      /* COUNTER_READ_CHARS and COUNTER_WRITE_CHARS are 0 */
	uint64_t children[COUNTER_COUNT]; /* the same counters, of the children that it reaped */
	uint64_t minor_faults;
	uint64_t children_minor_faults;
	uint64_t voluntary_switches;
	uint64_t involuntary_switches;
	int64_t energy_nj;     /* of its CPU time; 0: the system does not tell */
	uint64_t peak_rss_kib; /* of this image; 0: unknown */
	bool peak_is_own;      /* … and of no image before, nor of the parent; else it is not more than that */
	/* The largest peak of a child that it reaped. A child begins with the memory that fork copied, so it may be the
	 * peak of that. */
	uint64_t children_peak_kib;
};

/* The largest resident set of any image of this process so far, in KiB. It survives exec, and its first value is the
 * resident set that fork copied of the parent. */
uint64_t process_peak_rss_kib(void);

/* The same, and whether the process has ever waited for something. */
uint64_t process_begun_rss_kib(bool *waited);

/* `before_kib`: what process_peak_rss_kib returned when this image began. If it has grown since, the peak is this
 * image's; else it must be read from a file, which costs more than all the rest. Therefore, where it is at most
 * `small_kib`, it is taken for the peak, though it is another image's. */
void process_read_self(struct process_usage *usage, uint64_t before_kib, uint64_t small_kib);

/* CPU time (ns), user and system: of the calling thread, of the calling process, of the children that it reaped. */
void thread_usage(uint64_t cpu_ns[2]);
int64_t thread_used_ns(void); /* the sum of both, by one call */
void process_own_usage(uint64_t cpu_ns[2]);
void process_children_usage(uint64_t cpu_ns[2]);

/* How long the calling thread has waited for a processor since it began, in ns; negative: the system does not tell. */
int64_t thread_queued_ns(void);

/* Children that the calling process has not reaped, whether they have ended or not: how many, and the pids of the first
 * `capacity`. Asks for more than their number only where there are any. A negative os_error: there are some, and the
 * system does not say which. */
int process_children(int *pids, size_t capacity);
/* Whether there are any, which takes one call and little of the stack. */
bool process_has_children(void);

/* Whether the system reaps the children of the calling process when they end, so that what they used is in no account
 * (SIGCHLD ignored, or SA_NOCLDWAIT). */
bool process_ignores_children(void);

/* Whether they are in another PID namespace than it: when the first process of such a namespace ends, the system kills
 * and reaps the others there, in no account. Only of a process that has had children, as it is asked from /proc. */
bool process_children_are_apart(void);

/* I/O of the calling thread: COUNTER_DISK_READ … COUNTER_WRITE_CHARS of `counters` are set. */
int thread_io(uint64_t counters[COUNTER_COUNT]);

#endif
