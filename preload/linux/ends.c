/* SPDX-License-Identifier: Apache-2.0 */
/* Interposes functions that end the process without the library's _exit, because the C library calls its own _exit
 * internally.
 *
 * quick_exit: the exit record is written before the host's handlers run.
 *
 * daemon: the calling process ends immediately after the fork. Its exit record is therefore written after the fork,
 * even if the fork fails. The process is not tracked afterwards. */
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
