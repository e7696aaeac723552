/* SPDX-License-Identifier: Apache-2.0 */
/* All calls that report on processes and the machine on macOS. In tests, tests/unit/darwin/fake.c replaces them. The
 * code that reads their results is therefore tested on other systems too.
 *
 * The calls use libSystem, because macOS does not keep system calls stable. They allocate nothing, and they restore
 * errno. Each result is a length in bytes, or a negative enum os_error. */
#ifndef RTRACK_OS_DARWIN_CALLS_H
#define RTRACK_OS_DARWIN_CALLS_H

#include "core/base.h"
#include "os/darwin/abi.h"
#include "os/error.h"

/* Call proc_pidinfo(PROC_PIDTASKINFO), proc_pid_rusage and proc_pidpath. A process can read processes of its own user;
 * root can read all. If the kernel does not support `form`, the result is OS_ERROR_INVALID. */
int darwin_task(int pid, struct darwin_task *task);
int darwin_rusage_form(int pid, int form, struct darwin_rusage *rusage);

/* Reads the newest form of rusage_info that the kernel supports. The older form has no energy, so the energy is then
 * 0. */
static inline int darwin_rusage(int pid, struct darwin_rusage *rusage)
{
	int result = darwin_rusage_form(pid, DARWIN_RUSAGE_13, rusage);

	if (result != OS_ERROR_INVALID)
		return result;
	rusage->energy = 0;
	return darwin_rusage_form(pid, DARWIN_RUSAGE_10_13, rusage);
}

int64_t darwin_path(int pid, char *data, size_t capacity);

/* Call sysctl(KERN_PROC_PID) and sysctl(KERN_PROC_ALL). Both report processes of all users, including zombies. */
int darwin_process(int pid, struct darwin_process *process);
int64_t darwin_processes(struct darwin_process *processes, size_t size);

/* Calls proc_listchildpids(3). Returns the number of children, and stores the pids of the first `capacity` children. */
int darwin_children(int pid, int *pids, size_t capacity);

/* Call sysctl(KERN_PROCARGS2), and sysctl by name. */
int64_t darwin_arguments(int pid, char *data, size_t capacity);
int64_t darwin_named(const char *name, void *data, size_t capacity);

/* Call sysctl(NET_RT_IFLIST2), host_statistics64(HOST_VM_INFO64) and host_statistics(HOST_CPU_LOAD_INFO). */
int64_t darwin_interfaces(char *data, size_t capacity);
int darwin_memory(struct darwin_memory *memory);
int darwin_ticks(uint32_t ticks[DARWIN_TICKS]);

/* Result of mach_timebase_info: one unit of time is `nanoseconds` / `units` nanoseconds. */
struct darwin_timebase {
	uint32_t nanoseconds;
	uint32_t units;
};
struct darwin_timebase darwin_timebase(void);

/* A mounted file system. */
struct darwin_mount {
	const char *device; /* device file, such as "/dev/disk3s1s1" */
	const char *point;
	bool is_local;
	uint64_t total; /* size in bytes */
	uint64_t free;  /* bytes available to all users */
};
/* Lists the mounted file systems with getfsstat(2), without contacting a server. */
void darwin_mounts(void (*take)(void *context, const struct darwin_mount *mount), void *context);

#endif
