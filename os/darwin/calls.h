/* The calls by which macOS tells of processes and of the machine, in one place, so that everything that reads their
 * answers is tested on another system, where tests/unit/darwin/fake.c answers.
 *
 * macOS keeps the functions of libSystem and not its system calls, so these are called. They allocate nothing; what
 * they do to errno is undone. Results are lengths in bytes, or a negative enum os_error. */
#ifndef RTRACK_OS_DARWIN_CALLS_H
#define RTRACK_OS_DARWIN_CALLS_H

#include "core/base.h"
#include "os/darwin/abi.h"
#include "os/error.h"

/* proc_pidinfo(PROC_PIDTASKINFO), proc_pid_rusage, proc_pidpath: of processes of our own user, and of all where we are
 * root. A kernel that does not know the form answers OS_ERROR_INVALID. */
int darwin_task(int pid, struct darwin_task *task);
int darwin_rusage_form(int pid, int form, struct darwin_rusage *rusage);

/* In the newest form that the kernel knows; the energy is 0 in an older one. */
static inline int darwin_rusage(int pid, struct darwin_rusage *rusage)
{
	int result = darwin_rusage_form(pid, DARWIN_RUSAGE_13, rusage);

	if (result != OS_ERROR_INVALID)
		return result;
	rusage->energy = 0;
	return darwin_rusage_form(pid, DARWIN_RUSAGE_10_13, rusage);
}

int64_t darwin_path(int pid, char *data, size_t capacity);

/* sysctl(KERN_PROC_PID) and sysctl(KERN_PROC_ALL), zombies included, of all users. */
int darwin_process(int pid, struct darwin_process *process);
int64_t darwin_processes(struct darwin_process *processes, size_t size);

/* proc_listchildpids(3): their number, and the pids of the first `capacity`. */
int darwin_children(int pid, int *pids, size_t capacity);

/* sysctl(KERN_PROCARGS2), and sysctl by a name. */
int64_t darwin_arguments(int pid, char *data, size_t capacity);
int64_t darwin_named(const char *name, void *data, size_t capacity);

/* sysctl(NET_RT_IFLIST2), host_statistics64(HOST_VM_INFO64), host_statistics(HOST_CPU_LOAD_INFO). */
int64_t darwin_interfaces(char *data, size_t capacity);
int darwin_memory(struct darwin_memory *memory);
int darwin_ticks(uint32_t ticks[DARWIN_TICKS]);

/* mach_timebase_info: so many nanoseconds are that many units. */
struct darwin_timebase {
	uint32_t nanoseconds;
	uint32_t units;
};
struct darwin_timebase darwin_timebase(void);

/* getfsstat(2) without a question to a server: the file systems that are mounted. */
struct darwin_mount {
	const char *device; /* "/dev/disk3s1s1" */
	const char *point;
	bool is_local;
	uint64_t total; /* bytes */
	uint64_t free;  /* to all users */
};
void darwin_mounts(void (*take)(void *context, const struct darwin_mount *mount), void *context);

#endif
