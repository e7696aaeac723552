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
bool os_keeps_orphans(void); /* whether this process is a child subreaper: orphaned descendants become its children */
uint32_t os_user(void);
bool os_is_privileged(void); /* real and effective ids differ, so the environment is not trusted */
uint16_t os_random(void);

/* Returns whether the figures that this process reports at its end may be incomplete: valgrind runs it and continues
 * after the exit; or, if only this process reports them (`alone`), other threads keep working while exit() flushes
 * buffers. */
bool os_goes_on(bool alone);
int os_working_directory(char *data, size_t capacity);
int os_host_name(char *data, size_t capacity);

/* Reads the user's name from /etc/passwd or its equivalent. OS_ERROR_MISSING if it is not there. */
int os_user_name(uint32_t uid, char *data, size_t capacity);

/* Reads the path of the running executable, not NUL-terminated. Returns its length. */
int64_t os_executable(char *data, size_t capacity);

/* As os_executable, without reading /proc: resolves the links in `name`, by which the process was executed. `known`: a
 * path that contains no links. Returns a negative value if the result may differ from the running file. */
int64_t os_executable_by_name(char *data, size_t capacity, const char *name, struct text known);

/* Reads the arguments of this process, each with its NUL. Returns their length. */
int64_t os_command_line(char *data, size_t capacity);

/* Returns the current limit: all new descriptors are below it. */
int os_descriptor_limit(void);

/* Closes all descriptors of this process from `first` on. If the open ones cannot be listed, closes the first few
 * thousand. */
void os_close_from(int first);

static inline void os_close_all(void)
{
	os_close_from(0);
}

/* Raises the soft limit on open descriptors to the hard limit. */
void os_raise_descriptor_limit(void);

/* Returns an identifier of this boot of this machine, or an empty text if unknown. */
enum { OS_BOOT_MAX = 64 };
struct text os_boot(char text[OS_BOOT_MAX]);

/* Returns the number of this process's PID namespace, or 0 if unknown. */
uint64_t os_pid_namespace(void);

/* Returns whether a PID namespace, which has `number` and once held a process with that `start`, has no process left.
 * Known only if all namespaces are visible from this one. The kernel may reuse the number of a namespace. But a
 * namespace ends with its first process, which is its oldest, so processes that started after `start` cannot be in the
 * old namespace. */
bool os_pid_namespace_is_gone(uint64_t number, uint64_t start);

/* Returns a number for the PID namespace in which this process has `pid` (from os_pid), or 0 if /proc is missing or
 * belongs to another namespace. In two processes with the same number, a pid means the same process. Cheaper than
 * os_pid_namespace. */
uint64_t os_pid_view(int pid);

/* -- resource usage -------------------------------------------------------------------------------- */

/* Final figures of the calling process, for exit.csv. Here, disk bytes exclude children. */
struct process_usage {
	uint64_t own[COUNTER_COUNT];      /* COUNTER_READ_CHARS and COUNTER_WRITE_CHARS are 0 */
	uint64_t children[COUNTER_COUNT]; /* the same counters of reaped children */
	uint64_t minor_faults;
	uint64_t children_minor_faults;
	uint64_t voluntary_switches;
	uint64_t involuntary_switches;
	int64_t energy_nj;     /* energy of its CPU time; 0 if unknown */
	uint64_t peak_rss_kib; /* peak of this image; 0 if unknown */
	/* `peak_rss_kib` was reached by this image; otherwise it may come from an earlier image or the parent, and is
	 * an upper bound. */
	bool peak_is_own;
	/* Largest peak of a reaped child. A child starts with memory copied by fork, so the parent's memory may cause
	 * this peak. */
	uint64_t children_peak_kib;
};

/* Returns the largest resident set of any image of this process so far, in KiB. It survives exec. Its initial value is
 * the resident set that fork copied from the parent. */
uint64_t process_peak_rss_kib(void);

/* As process_peak_rss_kib; also sets *waited if the process has ever blocked. */
uint64_t process_begun_rss_kib(bool *waited);

/* Reads the usage of this process. `before_kib`: value of process_peak_rss_kib at the start of this image. If it has
 * grown since, the peak belongs to this image; otherwise the peak has to be read from a file, which costs more than all
 * the rest. Therefore a value up to `small_kib` is used as the peak even if an earlier image caused it. */
void process_read_self(struct process_usage *usage, uint64_t before_kib, uint64_t small_kib);

/* Read user and system CPU time (ns) of the calling thread, of the calling process, and of its reaped children. */
void thread_usage(uint64_t cpu_ns[2]);
int64_t thread_used_ns(void); /* sum of both, with one call */
void process_own_usage(uint64_t cpu_ns[2]);
void process_children_usage(uint64_t cpu_ns[2]);

/* Returns how long the calling thread has waited for a CPU since it started, in ns, or a negative value if unknown. */
int64_t thread_queued_ns(void);

/* Returns the number of unreaped children of the calling process, running or ended, and stores the pids of the first
 * `capacity`. It requests the pids only if there are children. Returns a negative os_error if there are children but
 * their pids are unknown. */
int process_children(int *pids, size_t capacity);
/* Returns whether the calling process has any, with one call and little stack. */
bool process_has_children(void);

/* Returns whether the system reaps the children of the calling process (SIGCHLD ignored, or SA_NOCLDWAIT), and thereby
 * drops their usage. */
bool process_ignores_children(void);

/* Returns whether children are created in another PID namespace than this process's. When the first process of such a
 * namespace ends, the kernel kills and reaps the others there, and drops their usage. Reads /proc, so call it only if
 * the process has had children. */
bool process_children_are_apart(void);

/* Reads the I/O of the calling thread into COUNTER_DISK_READ to COUNTER_WRITE_CHARS of `counters`. */
int thread_io(uint64_t counters[COUNTER_COUNT]);

#endif
