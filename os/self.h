/* SPDX-License-Identifier: Apache-2.0 */
/* The calling process: its identity, and its resource usage. As in all of os/, no function changes errno, allocates or
 * retries. */
#ifndef RTRACK_OS_SELF_H
#define RTRACK_OS_SELF_H

#include "core/base.h"
#include "core/figures.h"
#include "os/error.h"

int os_pid(void);
int os_parent(void);
/* Returns whether this process is a child subreaper, which adopts its orphaned descendants. */
bool os_keeps_orphans(void);
uint32_t os_user(void);
/* Returns whether real and effective ids differ. The environment must then not be trusted. */
bool os_is_privileged(void);
uint16_t os_random(void);

/* Returns whether this process may keep working after it has reported its final figures. This is so under valgrind,
 * which continues after the exit. If no other process reports the figures (`alone`), it is also so if stdout is a full
 * pipe and there are other threads: they keep running while exit() waits to flush. */
bool os_goes_on(bool alone);
int os_working_directory(char *data, size_t capacity);
int os_host_name(char *data, size_t capacity);

/* Reads the user's name from /etc/passwd or its equivalent. OS_ERROR_MISSING: the user is not listed. */
int os_user_name(uint32_t uid, char *data, size_t capacity);

/* Reads the path of the running executable, not NUL-terminated. Returns its length. */
int64_t os_executable(char *data, size_t capacity);

/* As os_executable, but without reading /proc. It resolves the links in `name`, by which the process was executed.
 * `known` is a path without links. Returns a negative value if the result may differ from the running file. */
int64_t os_executable_by_name(char *data, size_t capacity, const char *name, struct text known);

/* Reads the arguments of this process, with a NUL after each. Returns their length. */
int64_t os_command_line(char *data, size_t capacity);

/* Returns the soft limit on descriptors: all new descriptors are below it. */
int os_descriptor_limit(void);

/* Closes all descriptors of this process from `first` on. If it cannot list the open ones, it closes the first few
 * thousand. */
void os_close_from(int first);

static inline void os_close_all(void)
{
	os_close_from(0);
}

/* Raises the soft limit on open descriptors to the hard limit. */
void os_raise_descriptor_limit(void);

/* Returns an identifier of this boot of the machine, or an empty text if unknown. */
enum { OS_BOOT_MAX = 64 };
struct text os_boot(char text[OS_BOOT_MAX]);

/* Returns the inode number of this process's PID namespace, or 0 if unknown. */
uint64_t os_pid_namespace(void);

/* Returns whether a PID namespace has no process left. It had the inode number `number`, and a process in it had this
 * `start`.
 *
 * The kernel may reuse `number` for a new namespace. A namespace ends with its first process, which is its oldest.
 * Processes that started after `start` therefore do not prove that the old namespace exists. Returns false if some
 * namespaces are invisible to the caller. */
bool os_pid_namespace_is_gone(uint64_t number, uint64_t start);

/* Returns a number that identifies the PID namespace in which this process has `pid`. In two processes with equal
 * numbers, a pid denotes one process. Returns 0 if /proc is missing or belongs to another namespace. It is cheaper than
 * os_pid_namespace. */
uint64_t os_pid_view(int pid);

/* -- resource usage -------------------------------------------------------------------------------- */

/* Final figures of the calling process, for exit.csv. Its disk bytes exclude children. */
struct process_usage {
	uint64_t own[COUNTER_COUNT];      /* COUNTER_READ_CHARS and COUNTER_WRITE_CHARS are not read, and 0 */
	uint64_t children[COUNTER_COUNT]; /* the same counters of reaped children */
	uint64_t minor_faults;
	uint64_t children_minor_faults;
	uint64_t voluntary_switches;
	uint64_t involuntary_switches;
	int64_t energy_nj;     /* energy used by this process; 0 if unknown */
	uint64_t peak_rss_kib; /* peak resident set since the last exec; 0 if unknown */
	/* The peak was reached since the last exec. Otherwise it may come from before the exec or from the parent, and
	 * is an upper bound. */
	bool peak_is_own;
	/* Largest peak of a reaped child. Because fork copies memory, the parent's memory may have caused this peak. */
	uint64_t children_peak_kib;
};

/* Returns the largest resident set of this process so far in KiB. It survives exec. A child of fork starts with the
 * parent's resident set at the fork. */
uint64_t process_peak_rss_kib(void);

/* As process_peak_rss_kib. Sets *waited if the process has ever blocked. */
uint64_t process_begun_rss_kib(bool *waited);

/* Reads the usage of this process. `before_kib`: process_peak_rss_kib just after the last exec. If that has grown
 * since, it is the peak since exec. Otherwise the peak has to be read from a file, which costs more than all other
 * figures. A value up to `small_kib` is therefore used as it is. */
void process_read_self(struct process_usage *usage, uint64_t before_kib, uint64_t small_kib);

/* Read user and system CPU time in ns: of the calling thread, the calling process, and its reaped children. */
void thread_usage(uint64_t cpu_ns[2]);
int64_t thread_used_ns(void); /* returns user plus system time, with one call */
void process_own_usage(uint64_t cpu_ns[2]);
void process_children_usage(uint64_t cpu_ns[2]);

/* Returns how long the calling thread has waited for a CPU since it started, in ns, or a negative value if unknown. */
int64_t thread_queued_ns(void);

/* Returns the number of unreaped children of the calling process, running or ended, and stores the pids of the first
 * `capacity`. Returns a negative os_error if there are children but their pids are unknown. */
int process_children(int *pids, size_t capacity);
/* Returns whether the calling process has unreaped children, with one call and little stack. */
bool process_has_children(void);

/* Returns whether the system reaps the children of the calling process, because it ignores SIGCHLD or has set
 * SA_NOCLDWAIT. Their usage is then lost. */
bool process_ignores_children(void);

/* Returns whether children of this process are created in another PID namespace. When the first process of that
 * namespace ends, the kernel kills and reaps the others there, and their usage is lost. It reads /proc, so call it only
 * if the process has had children. */
bool process_children_are_apart(void);

/* Reads the I/O counters of the calling thread, COUNTER_DISK_READ to COUNTER_WRITE_CHARS. */
int thread_io(uint64_t counters[COUNTER_COUNT]);

#endif
