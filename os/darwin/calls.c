/* SPDX-License-Identifier: Apache-2.0 */
/* The functions of calls.h, implemented with libSystem. */
#include "os/darwin/calls.h"

#include "os/darwin/error.h"
#include "os/error.h"

#include <libproc.h>
#include <mach/mach.h>
#include <mach/mach_time.h>
#include <sys/mount.h>
#include <sys/socket.h>
#include <sys/sysctl.h>
#include <net/route.h>

/* Converts the result of proc_pidinfo, which is 0 if the call has failed. Returns the length, or the os_error for
 * errno. */
static int64_t length_or_error(int length)
{
	if (length > 0)
		return length;
	return errno != 0 ? error_of(errno) : OS_ERROR_NO_DATA;
}

int darwin_task(int pid, struct darwin_task *task)
{
	int before = errno;

	errno = 0;
	int64_t length = length_or_error(proc_pidinfo(pid, PROC_PIDTASKINFO, 0, task, sizeof *task));
	errno = before;
	return length < 0 ? (int)length : length == (int64_t)sizeof *task ? 0 : OS_ERROR_NO_DATA;
}

int darwin_rusage_form(int pid, int form, struct darwin_rusage *rusage)
{
	return (int)RESULT_OF(proc_pid_rusage(pid, form, (rusage_info_t *)rusage));
}

int64_t darwin_path(int pid, char *data, size_t capacity)
{
	/* The call rejects a buffer that is smaller than MAXPATHLEN. */
	static const size_t needed = PROC_PIDPATHINFO_MAXSIZE / 4;
	char path[PROC_PIDPATHINFO_MAXSIZE / 4];
	int before = errno;

	errno = 0;
	int64_t length = length_or_error(proc_pidinfo(pid, PROC_PIDPATHINFO, 0, path, (int)needed));
	errno = before;
	if (length < 0)
		return length;
	struct text text = {path, 0};
	while (text.length < needed && path[text.length] != '\0')
		text.length++;
	for (size_t i = 0; i < text.length && i < capacity; i++)
		data[i] = path[i];
	return (int64_t)(text.length < capacity ? text.length : capacity);
}

/* Calls sysctl(3). If the buffer is too small, sysctl fills it and fails; the result is then the filled length. */
static int64_t ask(const int *name, unsigned words, void *data, size_t capacity)
{
	size_t length = capacity;
	int64_t result = RESULT_OF(sysctl((int *)name, words, data, &length, NULL, 0));
	return result == OS_ERROR_NO_MEMORY || result == 0 ? (int64_t)length : result;
}

int darwin_process(int pid, struct darwin_process *process)
{
	const int name[] = {CTL_KERN, KERN_PROC, KERN_PROC_PID, pid};
	int64_t length = ask(name, ARRAY_LENGTH(name), process, sizeof *process);
	if (length < 0)
		return (int)length;
	return length == (int64_t)sizeof *process && process->pid == pid ? 0 : OS_ERROR_NO_PROCESS;
}

int64_t darwin_processes(struct darwin_process *processes, size_t size)
{
	const int name[] = {CTL_KERN, KERN_PROC, KERN_PROC_ALL, 0};
	return ask(name, ARRAY_LENGTH(name), processes, size);
}

int darwin_children(int pid, int *pids, size_t capacity)
{
	int before = errno;
	int count = proc_listchildpids(pid, pids, (int)(capacity * sizeof *pids));
	int result = count < 0 ? error_of(errno) : count;
	errno = before;
	return result;
}

int64_t darwin_arguments(int pid, char *data, size_t capacity)
{
	const int name[] = {CTL_KERN, KERN_PROCARGS2, pid};
	return ask(name, ARRAY_LENGTH(name), data, capacity);
}

int64_t darwin_named(const char *name, void *data, size_t capacity)
{
	size_t length = capacity;
	int64_t result = RESULT_OF(sysctlbyname(name, data, &length, NULL, 0));
	return result < 0 ? result : (int64_t)length;
}

int64_t darwin_interfaces(char *data, size_t capacity)
{
	const int name[] = {CTL_NET, PF_ROUTE, 0, 0, NET_RT_IFLIST2, 0};
	return ask(name, ARRAY_LENGTH(name), data, capacity);
}

/* Returns mach_host_self(). It is called only once, because each call adds a reference to the port name. */
static mach_port_t host(void)
{
	static mach_port_t known;
	if (known == MACH_PORT_NULL)
		known = mach_host_self();
	return known;
}

int darwin_memory(struct darwin_memory *memory)
{
	mach_msg_type_number_t count = HOST_VM_INFO64_COUNT;
	return host_statistics64(host(), HOST_VM_INFO64, (host_info64_t)memory, &count) == KERN_SUCCESS
		       ? 0
		       : OS_ERROR_UNSUPPORTED;
}

int darwin_ticks(uint32_t ticks[DARWIN_TICKS])
{
	mach_msg_type_number_t count = HOST_CPU_LOAD_INFO_COUNT;
	return host_statistics(host(), HOST_CPU_LOAD_INFO, (host_info_t)ticks, &count) == KERN_SUCCESS
		       ? 0
		       : OS_ERROR_UNSUPPORTED;
}

struct darwin_timebase darwin_timebase(void)
{
	mach_timebase_info_data_t base = {1, 1};
	(void)mach_timebase_info(&base);
	return (struct darwin_timebase){base.numer, base.denom};
}

void darwin_mounts(void (*take)(void *context, const struct darwin_mount *mount), void *context)
{
	enum { MOUNTS_MAX = 32 };
	static struct statfs status[MOUNTS_MAX];
	int count = (int)RESULT_OF(getfsstat(status, sizeof status, MNT_NOWAIT));

	for (int i = 0; i < count; i++) {
		const struct darwin_mount mount = {
			.device = status[i].f_mntfromname,
			.point = status[i].f_mntonname,
			.is_local = (status[i].f_flags & MNT_LOCAL) != 0,
			.total = status[i].f_blocks * status[i].f_bsize,
			.free = status[i].f_bavail * status[i].f_bsize,
		};
		take(context, &mount);
	}
}
