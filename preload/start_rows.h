/* SPDX-License-Identifier: Apache-2.0 */
/* Facts about the start of the calling process from the last rows of start.csv, without /proc. A process's first access
 * to /proc costs more than writing all of its records (docs/performance.md).
 *
 * Pids ascend. A process with a larger pid than a sibling or its parent was therefore created after it. If that other
 * one was created in the current tick of the kernel's clock, so was this process. Pids wrap around after many thousand
 * processes. Therefore a process that has ever blocked, and may be older than that, does not use this rule. */
#ifndef RTRACK_PRELOAD_START_ROWS_H
#define RTRACK_PRELOAD_START_ROWS_H

#include "os/file.h"
#include "os/process.h"

enum { START_ROWS_BYTES = 512 };

struct start_rows {
	struct os_table table; /* start.csv */
	/* Pid of the run's sampler, if it is alive and in the same PID namespace (os_holder); otherwise 0¶. */
	int holder;
	bool waited;     /* this process has blocked since its creation */
	struct text exe; /* executable of the process's last row, a path without links at that time; empty if unknown */
	struct text rows; /* the complete rows in the last bytes of the file */
	char data[START_ROWS_BYTES];
};

/* Opens start.csv and reads the rows. If that fails, or `path` is NULL, nothing is known. */
void start_rows_open(struct start_rows *start_rows, const char *path, uint32_t user);
void start_rows_read(struct start_rows *start_rows);

/* Returns the start of this process, or 0 if the rows do not determine it. */
uint64_t start_rows_find_start(const struct start_rows *start_rows, int pid, int ppid, int64_t now_ns);

/* Returns whether the boot times of all processes that wrote these rows differ from this process's, which booted
 * `boot_ns` before `now_ns`. Also returns true for rows that were written long after their process's start, and for
 * unreadable rows. */
bool start_rows_have_other_boot(const struct start_rows *start_rows, int64_t now_ns, int64_t boot_ns);

#endif
