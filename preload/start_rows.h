/* SPDX-License-Identifier: Apache-2.0 */
/* Facts about the start of the calling process, from the last rows of start.csv.
 *
 * They make it unnecessary to read /proc: a process's first access to /proc costs more than writing all of its records
 * (docs/performance.md).
 *
 * Pids ascend, so a process was created after its parent, and after siblings with smaller pids. If a parent or sibling
 * was created in the current tick of the kernel's clock, so was this process. Pids wrap around after many thousand
 * processes. The rule therefore does not apply to a process that has ever blocked, because it may be older. */
#ifndef RTRACK_PRELOAD_START_ROWS_H
#define RTRACK_PRELOAD_START_ROWS_H

#include "os/file.h"
#include "os/process.h"

enum { START_ROWS_BYTES = 512 };

struct start_rows {
	struct os_table table; /* facts about start.csv */
	/* Pid of the run's sampler if it is alive and in this PID namespace (os_holder); otherwise 0. */
	int holder;
	bool waited;      /* this process has blocked since its creation */
	struct text exe;  /* executable in the last row, as a path without symbolic links; empty if unknown */
	struct text rows; /* the complete rows at the end of the file */
	char data[START_ROWS_BYTES];
};

/* start_rows_open opens start.csv, and start_rows_read reads the rows. On failure, or if `path` is NULL, there are no
 * rows. */
void start_rows_open(struct start_rows *start_rows, const char *path, uint32_t user);
void start_rows_read(struct start_rows *start_rows);

/* Returns the start time of this process, or 0 if the rows do not determine it. */
uint64_t start_rows_find_start(const struct start_rows *start_rows, int pid, int ppid, int64_t now_ns);

/* Returns whether this process's boot clock differs from the clocks of all processes in these rows. `now_ns` is the
 * current time, and `boot_ns` the time since boot by this process's clock. Also returns true if the rows are
 * unreadable or were written long after their processes started. */
bool start_rows_have_other_boot(const struct start_rows *start_rows, int64_t now_ns, int64_t boot_ns);

#endif
