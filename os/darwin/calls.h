/* SPDX-License-Identifier: Apache-2.0 */
/* All calls that report on processes and the machine on macOS. tests/unit/darwin/fake.c replaces them in tests, so that
 * all code which reads their results is tested on other systems.
 *
 * The functions of libSystem are called because macOS does not keep system calls stable. They allocate nothing, and
 * errno is restored. Results are lengths in bytes, or a negative enum os_error. */
#ifndef RTRACK_OS_DARWIN_CALLS_H
#define RTRACK_OS_DARWIN_CALLS_H

#include "core/base.h"
#include "os/darwin/abi.h"
#include "os/error.h"

/* Call proc_pidinfo(PROC_PIDTASKINFO), proc_pid_rusage and proc_pidpath. They work for processes of the same user, or
 * for all processes as root. A kernel that does not know `form` returns OS_ERROR_INVALID. */
int darwin_task(int pid, struct darwin_task *task);
int darwin_rusage_form(int pid, int form, struct darwin_rusage *rusage);

/* Reads the newest form that the kernel supports. The older one has no energy, which is then 0. */
static inline int darwin_rusage(int pid, struct darwin_rusage *rusage)
{
	int result = darwin_rusage_form(pid, DARWIN_RUSAGE_13, rusage);

	if (result != OS_ERROR_INVALID)
		return result;
	rusage->energy = 0;
	return darwin_rusage_form(pid, DARWIN_RUSAGE_10_13, rusage);
}

int64_t darwin_path(int pid, char *data, size_t capacity);

/* Call sysctl(KERN_PROC_PID) and sysctl(KERN_PROC_ALL). They report processes of all users, and zombies. */
int darwin_process(int pid, struct darwin_process *process);
int64_t darwin_processes(struct darwin_process *processes, size_t size);

/* Calls proc_listchildpids(3). Returns the number of children and stores the pids of the first `capacity`. */
int darwin_children(int pid, int *pids, size_t capacity);

/* Call sysctl(KERN_PROCARGS2), and sysctl by name. */
int64_t darwin_arguments(int pid, char *data, size_t capacity);
int64_t darwin_named(const char *name, void *data, size_t capacity);

/* Call sysctl(NET_RT_IFLIST2), host_statistics64(HOST_VM_INFO64) and host_statistics(HOST_CPU_LOAD_INFO). */
int64_t darwin_interfaces(char *data, size_t capacity);
int darwin_memory(struct darwin_memory *memory);
int darwin_ticks(uint32_t ticks[DARWIN_TICKS]);

/* Result of mach_timebase_info: a unit of time is `nanoseconds` / `units` ns. */
struct darwin_timebase {
	uint32_t nanoseconds;
	uint32_t units;
};
struct darwin_timebase darwin_timebase(void);

/* Lists the mounted file systems with getfsstat(2), without contacting a server. */
struct darwin_mount {
	const char *device; /* device file, such as "/dev/disk3s1s1" */
	const char *point;
	bool is_local;
	uint64_t total; /* size in bytes */
	uint64_t free;  /* bytes available to all users */
};
void darwin_mounts(void (*take)(void *context, const struct darwin_mount *mount), void *context);

#endif
