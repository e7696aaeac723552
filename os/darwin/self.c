/* SPDX-License-Identifier: Apache-2.0 */
/* The identity of the calling process, for os/self.h. macOS has no PID namespaces, so a pid denotes the same process
 * everywhere. */
#include "os/self.h"

#include "os/clock.h"
#include "os/darwin/calls.h"
#include "os/darwin/error.h"
#include "os/darwin/parse.h"
#include "os/memory.h"
#include "os/process.h"

#include <signal.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/syslimits.h>
#include <unistd.h>

int os_pid(void)
{
	return getpid();
}

/* On macOS, only launchd adopts orphans. */
bool os_keeps_orphans(void)
{
	return os_pid() == 1;
}

int os_parent(void)
{
	return getppid();
}

uint32_t os_user(void)
{
	return geteuid();
}

bool os_is_privileged(void)
{
	return issetugid() != 0;
}

uint16_t os_random(void)
{
	uint16_t value = 0;
	if (RESULT_OF(getentropy(&value, sizeof value)) != 0)
		value = (uint16_t)os_now_ns();
	return value;
}

int os_working_directory(char *data, size_t capacity)
{
	return (int)RESULT_OF(getcwd(data, capacity) ? 0 : -1);
}

int os_host_name(char *data, size_t capacity)
{
	int result = (int)RESULT_OF(gethostname(data, capacity));
	if (result == 0 && capacity > 0)
		data[capacity - 1] = '\0';
	return result;
}

int64_t os_executable(char *data, size_t capacity)
{
	return darwin_path(getpid(), data, capacity);
}

int64_t os_command_line(char *data, size_t capacity)
{
	char unused;
	struct buffer exe = {&unused, 0, 0, false};
	struct buffer command = {data, 0, capacity, false};

	process_describe(getpid(), &exe, &command);
	return command.length > 0 ? (int64_t)command.length : OS_ERROR_NO_DATA;
}

int os_descriptor_limit(void)
{
	struct rlimit limit;
	if (RESULT_OF(getrlimit(RLIMIT_NOFILE, &limit)) != 0 || limit.rlim_cur > INT32_MAX)
		return INT32_MAX;
	return (int)limit.rlim_cur;
}

void os_close_from(int first)
{
	int limit = os_descriptor_limit();

	for (int descriptor = first; descriptor < (limit < OPEN_MAX ? limit : OPEN_MAX); descriptor++)
		(void)close(descriptor);
}

/* The kernel rejects a soft limit above OPEN_MAX, even if the hard limit is higher. */
void os_raise_descriptor_limit(void)
{
	struct rlimit limit;
	if (RESULT_OF(getrlimit(RLIMIT_NOFILE, &limit)) != 0)
		return;
	rlim_t most = limit.rlim_max < OPEN_MAX ? limit.rlim_max : OPEN_MAX;
	if (limit.rlim_cur < most) {
		limit.rlim_cur = most;
		(void)RESULT_OF(setrlimit(RLIMIT_NOFILE, &limit));
	}
}

struct text os_boot(char text[OS_BOOT_MAX])
{
	int64_t length = darwin_named("kern.bootsessionuuid", text, OS_BOOT_MAX);
	return (struct text){text, length > 0 ? (size_t)length - 1 : 0};
}

/* Returns a hash of the boot id, because macOS has no PID namespaces to distinguish. */
uint64_t os_pid_view(int pid)
{
	char text[OS_BOOT_MAX];
	struct text boot = os_boot(text);
	uint64_t view = 0xcbf29ce484222325; /* FNV-1a */

	(void)pid;
	for (size_t i = 0; i < boot.length; i++)
		view = (view ^ (unsigned char)boot.data[i]) * 0x100000001b3;
	return view;
}

int process_children(int *pids, size_t capacity)
{
	return darwin_children(getpid(), pids, capacity);
}

bool process_has_children(void)
{
	int pid;

	return process_children(&pid, 1) != 0;
}

bool process_ignores_children(void)
{
	struct sigaction action;
	return RESULT_OF(sigaction(SIGCHLD, NULL, &action)) == 0 &&
	       (action.sa_handler == SIG_IGN || (action.sa_flags & SA_NOCLDWAIT));
}
