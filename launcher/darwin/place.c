/* SPDX-License-Identifier: Apache-2.0 */
/* The process environment of rtrack-run on macOS. */
#include "launcher/place.h"

#include "core/spool.h"

#include <fcntl.h>
#include <mach-o/dyld.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>

/* A descriptor of a directory can be neither read nor written. */
int place_open_placeholder(void)
{
	return open("/", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
}

/* Only forks, because no helper needs the wait: rtrack-gpu does not exist on macOS. */
int place_fork_to_execute(void)
{
	return fork();
}

/* Does nothing, because macOS has no such call. The helpers end by themselves: the probe when its pipe is closed, the
 * program that identifies the cloud at its time limit. */
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

/* Calls the function on the current stack, whatever its limit. */
int place_call_with_room(int (*function)(const void *argument), const void *argument)
{
	return function(argument);
}
