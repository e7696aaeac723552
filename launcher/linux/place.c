/* SPDX-License-Identifier: Apache-2.0 */
/* The process environment of rtrack-run on Linux. */
#define _GNU_SOURCE
#include "launcher/place.h"

#include "os/stack.h"

#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

int place_open_placeholder(void)
{
	return open("/", O_PATH | O_CLOEXEC);
}

int place_fork_to_execute(void)
{
	return (int)syscall(SYS_clone, CLONE_VFORK | SIGCHLD, NULL, NULL, NULL, NULL);
}

void place_die_with_parent(void)
{
	(void)prctl(PR_SET_PDEATHSIG, SIGKILL);
}

/* Makes rtrack-run undumpable. An RLIMIT_CORE of 0 is not sufficient, because the kernel ignores it if it pipes core
 * dumps to a program. */
void place_forbid_core(void)
{
	(void)prctl(PR_SET_DUMPABLE, 0);
}

const char *place_given_path(void)
{
	return (const char *)getauxval(AT_EXECFN);
}

int place_memory_file(void)
{
	/* The system call is made directly, because glibc before 2.27 has no memfd_create. */
	return (int)syscall(SYS_memfd_create, "rtrack", MFD_CLOEXEC);
}

/* -- small stacks ---------------------------------------------------------------------------------- */

struct wanted_call {
	int (*function)(const void *argument);
	const void *argument;
	int result;
};

static void make_call(void *argument)
{
	struct wanted_call *wanted = argument;
	wanted->result = wanted->function(wanted->argument);
}

int place_call_with_room(int (*function)(const void *argument), const void *argument)
{
	enum { ROOM = 1 << 18 };
	struct wanted_call wanted = {function, argument, 0};
	struct rlimit limit;

	if (getrlimit(RLIMIT_STACK, &limit) != 0 || limit.rlim_cur >= ROOM)
		return function(argument);
	char *stack = mmap(NULL, ROOM, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (stack == MAP_FAILED)
		return function(argument);
	stack_switch(stack + ROOM, make_call, &wanted);
	return wanted.result;
}
