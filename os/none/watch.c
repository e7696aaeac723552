/* Hearing of files where nothing is known of the system: nothing is heard; see os/watch.h. */
#include "os/watch.h"

int os_watch(const char *directory)
{
	(void)directory;
	return OS_ERROR_UNSUPPORTED;
}

bool os_watch_heard(int watched, const char *name)
{
	(void)watched, (void)name;
	return false;
}
