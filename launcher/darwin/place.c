/* The launcher's own place on macOS; see place.h. */
#include "launcher/place.h"

#include "core/spool.h"

#include <fcntl.h>
#include <mach-o/dyld.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>

/* A directory can be neither read nor written by its descriptor. */
int place_open_placeholder(void)
{
	return open("/", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
}

/* vfork would share the memory, and rtrack-gpu does not exist here. */
int place_fork_to_execute(void)
{
	return fork();
}

/* macOS has no such call. What the launcher starts ends by itself: the witness at the end of its pipe, the program that
 * asks which cloud this is at its limit of time. */
void place_die_with_parent(void)
{
}

void place_forbid_core(void)
{
	const struct rlimit none = {0, 0};

	(void)setrlimit(RLIMIT_CORE, &none);
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
