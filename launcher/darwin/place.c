/* SPDX-License-Identifier: Apache-2.0 */
/* The process environment of rtrack-run on macOS. */
#include "launcher/place.h"

#include "core/spool.h"

#include <fcntl.h>
#include <mach-o/dyld.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>

/* The placeholder is a descriptor of a directory, because it can be neither read nor written. */
int place_open_placeholder(void)
{
	return open("/", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
}

/* Only forks and does not wait for the exec. Only rtrack-gpu needs the wait, and it does not exist on macOS. */
int place_fork_to_execute(void)
{
	return fork();
}

/* Does nothing, because macOS has no such call. The helpers end without it. The probe ends when its pipe is closed,
 * and the program that identifies the cloud ends at its time limit. */
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

/* Calls the function on the current stack, even if the stack limit is small. */
int place_call_with_room(int (*function)(const void *argument), const void *argument)
{
	return function(argument);
}
