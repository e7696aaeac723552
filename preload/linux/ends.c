/* SPDX-License-Identifier: Apache-2.0 */
/* Process ends that bypass the interposed functions, because the C library's internal calls of _exit cannot be
 * interposed.
 *
 * quick_exit: the record is written before the host's handlers run.
 *
 * daemon: it forks and its caller ends at once, so the caller's record is written right after the fork. It is also
 * written if the fork fails, and that process is not tracked from then on. */
#include "preload/host.h"
#include "preload/librtrack.h"

#define EXPORT __attribute__((visibility("default")))

EXPORT _Noreturn void quick_exit(int status);
EXPORT _Noreturn void quick_exit(int status)
{
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
