/* SPDX-License-Identifier: Apache-2.0 */
/* A simulated macOS kernel. It answers the calls of os/darwin/calls.h in the kernel's data layout, so that os/darwin
 * can be tested without macOS. A test sets `fake` and calls os/darwin. */
#ifndef RTRACK_TESTS_DARWIN_LIBPROC_H
#define RTRACK_TESTS_DARWIN_LIBPROC_H

#include "os/darwin/calls.h"

enum { FAKE_PROCESSES = 4096, FAKE_BYTES = 8192, FAKE_MOUNTS = 8 };

struct fake_process {
	struct darwin_process process;
	struct darwin_rusage rusage;
	struct darwin_task task; /* with 0 threads the process has no task, as a zombie */
	const char *path;
	struct text arguments; /* in the layout of KERN_PROCARGS2 */
};

struct fake {
	struct fake_process processes[FAKE_PROCESSES];
	size_t count;
	uint32_t user; /* user ID of the caller; 0 may read everything */
	struct darwin_timebase timebase;
	int rusage_form; /* newest form of the call that the kernel knows */
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

/* Adds a running process of user 501 with one thread. */
struct fake_process *fake_add(int pid, int parent, const char *name);

#endif
