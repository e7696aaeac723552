/* Watching of os/watch.h for a system of which nothing is known: nothing is ever heard. */
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
