/* Ends that pass by the functions which stand for an end: the C library's own calls of _exit are nobody's to interpose.
 *
 * quick_exit calls the host's handlers first, which may work and start programs. Therefore ours is registered before
 * the first of them, and is called last. (glibc's at_quick_exit is in the program, and calls __cxa_at_quick_exit.)
 *
 * daemon forks, and who called it ends at once: its last word is said when the fork is done. So it is where the fork
 * fails, and that process is not tracked from then on. */
#include "preload/host.h"
#include "preload/librtrack.h"

#include <stddef.h>

#define EXPORT __attribute__((visibility("default")))

static int quick_status;
static bool quick_is_heard;

static void on_quick_exit(void *unused)
{
	(void)unused;
	library_ends(quick_status);
}

EXPORT int __cxa_at_quick_exit(void (*handler)(void *), void *object);
EXPORT int __cxa_at_quick_exit(void (*handler)(void *), void *object)
{
	union {
		void *address;
		int (*call)(void (*)(void *), void *);
	} real = {host_find_next("__cxa_at_quick_exit")};

	if (!real.address)
		return -1;
	quick_is_heard = quick_is_heard || real.call(on_quick_exit, NULL) == 0;
	return real.call(handler, object);
}

EXPORT _Noreturn void quick_exit(int status);
EXPORT _Noreturn void quick_exit(int status)
{
	quick_status = status;
	if (!quick_is_heard)
		library_ends(status);
	host_exit_through("quick_exit", status);
}

EXPORT int daemon(int stays, int speaks);
EXPORT int daemon(int stays, int speaks)
{
	union {
		void *address;
		int (*call)(int, int);
	} real = {host_find_next("daemon")};

	library_becomes_daemon(true);
	int result = real.address ? real.call(stays, speaks) : -1;
	library_becomes_daemon(false);
	return result;
}
