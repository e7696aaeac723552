/* The launcher's own place on macOS; see place.h. */
#include "launcher/place.h"

#include "core/spool.h"

#include <fcntl.h>
#include <mach-o/dyld.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>

enum { DESCRIPTORS_MAX = 65536 };

/* A directory can be neither read nor written by its descriptor. */
static int open_placeholder(void)
{
	return open("/", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
}

void place_fill_closed(void)
{
	while (true) {
		int descriptor = open_placeholder();
		if (descriptor < 0)
			return;
		if (descriptor > STDERR_FILENO) {
			(void)close(descriptor);
			return;
		}
	}
}

void place_release_input_and_output(void)
{
	int descriptor = open_placeholder();

	if (descriptor < 0)
		return;
	for (int i = STDIN_FILENO; i <= STDOUT_FILENO; i++)
		if (dup2(descriptor, i) == i)
			(void)fcntl(i, F_SETFD, FD_CLOEXEC);
	(void)close(descriptor);
}

void place_leave(void)
{
	struct rlimit limit;
	sigset_t blocked;

	(void)setsid();
	(void)chdir("/");
	if (getrlimit(RLIMIT_NOFILE, &limit) == 0)
		for (rlim_t i = 0; i < limit.rlim_cur && i < DESCRIPTORS_MAX; i++)
			(void)close((int)i);
	(void)signal(SIGTERM, SIG_DFL);
	(void)sigfillset(&blocked);
	(void)sigdelset(&blocked, SIGTERM);
	(void)sigprocmask(SIG_SETMASK, &blocked, NULL);
}

/* macOS has no such call. What the launcher starts ends by itself: the witness at the end of its pipe, the program that
 * asks which cloud this is at its limit of time. */
void place_die_with_parent(void)
{
}

const char *place_given_path(void)
{
	static char path[SPOOL_PATH_MAX];
	uint32_t size = sizeof path;

	return _NSGetExecutablePath(path, &size) == 0 ? path : NULL;
}

int place_memory_file(void)
{
	char path[] = "/tmp/rtrack.XXXXXX";
	int file = mkostemp(path, O_CLOEXEC);

	if (file >= 0)
		(void)unlink(path);
	return file;
}

/* Not dealt with here: under a small limit on the stack the launcher lives with what the command is to have. */
int place_call_with_room(int (*function)(const void *argument), const void *argument)
{
	return function(argument);
}
