/* SPDX-License-Identifier: Apache-2.0 */
/* macOS in memory: what the calls of os/darwin/calls.h answer, laid out as its kernel does, so that what reads the
 * answers is tested where there is no macOS. A test sets `fake` and asks os/darwin. */
#ifndef RTRACK_TESTS_DARWIN_LIBPROC_H
#define RTRACK_TESTS_DARWIN_LIBPROC_H

#include "os/darwin/calls.h"

enum { FAKE_PROCESSES = 4096, FAKE_BYTES = 8192, FAKE_MOUNTS = 8 };

struct fake_process {
	struct darwin_process process;
	struct darwin_rusage rusage;
	struct darwin_task task; /* threads 0: there is none, as of a zombie */
	const char *path;
	struct text arguments; /* as KERN_PROCARGS2 gives them */
};

struct fake {
	struct fake_process processes[FAKE_PROCESSES];
	size_t count;
	uint32_t user; /* the caller's: 0 may read all */
	struct darwin_timebase timebase;
	int rusage_form; /* the newest that the kernel knows */
	uint32_t ticks[DARWIN_TICKS];
	struct darwin_memory memory;
	struct darwin_swap swap;
	char interfaces[FAKE_BYTES];
	size_t interfaces_length;
	struct darwin_mount mounts[FAKE_MOUNTS];
	size_t mount_count;
	int64_t now_ns; /* since the epoch */
	int64_t boot_ns;
};
extern struct fake fake;

/* Adds a process of user 501 that runs and has one thread. */
struct fake_process *fake_add(int pid, int parent, const char *name);

#endif
