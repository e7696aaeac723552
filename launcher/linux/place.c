/* The launcher's own place on Linux; see place.h. */
#define _GNU_SOURCE
#include "launcher/place.h"

#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

int place_open_placeholder(void)
{
	return open("/", O_PATH | O_CLOEXEC);
}

/* The list of those that are open serves before Linux 5.9, and where a filter does not know the newer call. */
bool place_close_all(void)
{
	const struct dirent *entry;

	if (syscall(SYS_close_range, 0, ~0u, 0) == 0)
		return true;
	DIR *directory = opendir("/proc/self/fd");
	while (directory && (entry = readdir(directory)))
		if (atoi(entry->d_name) != dirfd(directory)) /* "." and ".." are 0, which goes as well */
			(void)close(atoi(entry->d_name));
	return directory && closedir(directory) == 0;
}

void place_die_with_parent(void)
{
	(void)prctl(PR_SET_PDEATHSIG, SIGKILL);
}

const char *place_given_path(void)
{
	return (const char *)getauxval(AT_EXECFN);
}

int place_memory_file(void)
{
	return memfd_create("rtrack", MFD_CLOEXEC);
}

/* -- a small stack --------------------------------------------------------------------------------- */

/* What runs on the other stack: makecontext can pass no pointers. */
static struct {
	int (*function)(const void *argument);
	const void *argument;
	int result;
} wanted;

static void make_call(void)
{
	wanted.result = wanted.function(wanted.argument);
}

int place_call_with_room(int (*function)(const void *argument), const void *argument)
{
	enum { ROOM = 1 << 18 };
	static ucontext_t here, there;
	struct rlimit limit;

	if (getrlimit(RLIMIT_STACK, &limit) != 0 || limit.rlim_cur >= ROOM || getcontext(&there) != 0)
		return function(argument);
	void *stack = mmap(NULL, ROOM, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (stack == MAP_FAILED)
		return function(argument);
	wanted.function = function;
	wanted.argument = argument;
	there.uc_stack.ss_sp = stack;
	there.uc_stack.ss_size = ROOM;
	there.uc_link = &here;
	makecontext(&there, make_call, 0);
	(void)swapcontext(&here, &there);
	return wanted.result;
}
