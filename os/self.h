/* SPDX-License-Identifier: Apache-2.0 */
/* The identity and the resource usage of the calling process. As in all of os/, no function changes errno, allocates or
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
/* Returns whether the real and effective ids differ. If so, the environment must not be trusted. */
bool os_is_privileged(void);
uint16_t os_random(void);

/* Returns whether this process may keep working after it has reported its final figures. This is so under valgrind,
 * which runs on after the exit of the program. `alone` means that no other process reports the figures. The result is
 * then also true if stdout is a full pipe and there are other threads, because these keep running while exit() waits to
 * flush stdout. */
bool os_goes_on(bool alone);
int os_working_directory(char *data, size_t capacity);
int os_host_name(char *data, size_t capacity);

/* Reads the name of a user from /etc/passwd or its equivalent. Returns OS_ERROR_MISSING if the user is not listed. */
int os_user_name(uint32_t uid, char *data, size_t capacity);

/* Reads the path of the running executable, without a NUL at the end. Returns its length. */
int64_t os_executable(char *data, size_t capacity);

/* Reads the path of the executable without using /proc. It resolves the symbolic links in `name`, the name by which the
 * process was executed. `known` is a path that contains no links. Returns a negative value if the running file may be
 * another one. */
int64_t os_executable_by_name(char *data, size_t capacity, const char *name, struct text known);

/* Reads the command line of this process, with a NUL after each argument. Returns its length. */
int64_t os_command_line(char *data, size_t capacity);

/* Returns the soft limit on descriptors. Every new descriptor is below it. */
int os_descriptor_limit(void);

/* Closes all descriptors of this process from `first` on. If the open descriptors cannot be listed, only the first few
 * thousand are closed. */
void os_close_from(int first);

static inline void os_close_all(void)
{
	os_close_from(0);
}

/* Raises the soft limit on open descriptors to the hard limit. */
void os_raise_descriptor_limit(void);

enum { OS_BOOT_MAX = 64 };
/* Returns an identifier of the current boot of the machine, or an empty text if it is unknown. */
struct text os_boot(char text[OS_BOOT_MAX]);

/* Returns the inode number of this process's PID namespace, or 0 if unknown. */
uint64_t os_pid_namespace(void);

/* Returns whether a PID namespace has no process left. The namespace had the inode number `number`, and one of its
 * processes had this `start`. Returns false if some namespaces are invisible to the caller.
 *
 * The kernel may reuse the inode number for a new namespace. A namespace ends when its first process ends, and that
 * process is its oldest. If all processes of a namespace with this number started after `start`, it is therefore a new
 * one. */
bool os_pid_namespace_is_gone(uint64_t number, uint64_t start);

/* Returns a number that identifies the PID namespace in which this process has `pid`. If two processes have equal
 * numbers, a pid denotes the same process to both. Returns 0 if /proc is missing or belongs to another namespace. This
 * call is cheaper than os_pid_namespace. */
uint64_t os_pid_view(int pid);

/* -- resource usage -------------------------------------------------------------------------------- */

/* Final figures of the calling process, for exit.csv. Disk bytes do not include those of children. */
struct process_usage {
	uint64_t own[COUNTER_COUNT];      /* the values of COUNTER_READ_CHARS and COUNTER_WRITE_CHARS are always 0 */
	uint64_t children[COUNTER_COUNT]; /* the same counters, summed over reaped children */
	uint64_t minor_faults;
	uint64_t children_minor_faults;
	uint64_t voluntary_switches;
	uint64_t involuntary_switches;
	int64_t energy_nj;     /* energy used by this process; 0 if unknown */
	uint64_t peak_rss_kib; /* peak resident set since the last exec; 0 if unknown */
	/* True if the peak was reached since the last exec. Otherwise the peak is only an upper bound, because it may
	 * be from before the exec or from the parent. */
	bool peak_is_own;
	/* Largest peak of any reaped child. The parent's memory may be the cause, because fork copies it. */
	uint64_t children_peak_kib;
};

/* Returns the largest resident set of this process so far in KiB. It survives exec. In a child of fork, it starts with
 * the parent's resident set at the time of the fork. */
uint64_t process_peak_rss_kib(void);

/* Returns the same figure as process_peak_rss_kib. Sets *waited to whether the process has ever blocked. */
uint64_t process_begun_rss_kib(bool *waited);

/* Reads the usage of this process. `before_kib` is the result of process_peak_rss_kib just after the last exec. If the
 * current result is larger, it is the peak since the exec. Otherwise the peak must be read from a file, which costs
 * more than all other figures. A result of at most `small_kib` is therefore used without reading the file. */
void process_read_self(struct process_usage *usage, uint64_t before_kib, uint64_t small_kib);

/* Read the user and system CPU time of the calling thread, of the calling process, and of its reaped children, in
 * ns. */
void thread_usage(uint64_t cpu_ns[2]);
int64_t thread_used_ns(void); /* returns user plus system time, with only one system call */
void process_own_usage(uint64_t cpu_ns[2]);
void process_children_usage(uint64_t cpu_ns[2]);

/* Returns how long the calling thread has waited for a CPU since it started, in ns. Returns a negative value if it is
 * unknown. */
int64_t thread_queued_ns(void);

/* Returns the number of unreaped children of the calling process, including those that have ended. Stores the pids of
 * the first `capacity` children. Returns a negative os_error if there are children, but their pids are unknown. */
int process_children(int *pids, size_t capacity);
/* Returns whether the calling process has unreaped children. Makes only one system call, and needs little stack. */
bool process_has_children(void);

/* Returns whether the children of the calling process are reaped by the system, because the process ignores SIGCHLD or
 * has set SA_NOCLDWAIT. The usage of such children is lost. */
bool process_ignores_children(void);

/* Returns whether new children of this process are created in another PID namespace. When the first process in that
 * namespace ends, the kernel kills and reaps the others, and their usage is lost. Call this only if the process has had
 * children, because it reads /proc. */
bool process_children_are_apart(void);

/* Reads the I/O counters of the calling thread, from COUNTER_DISK_READ to COUNTER_WRITE_CHARS. */
int thread_io(uint64_t counters[COUNTER_COUNT]);

#endif
