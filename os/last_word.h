/* SPDX-License-Identifier: Apache-2.0 */
/* The last word (struct spool_last in core/spool.h) of a root that was killed together with its sampler, for the
 * process that finds the root gone and holds the run's lock. Also determines whether a root has ended. `at` is a
 * descriptor of the run's directory. Both the sampler and rtrack-report use it. */
#ifndef RTRACK_OS_LAST_WORD_H
#define RTRACK_OS_LAST_WORD_H

#include "core/columns.h"
#include "core/spool.h"
#include "os/process.h"

struct last {
	char text[SPOOL_LAST_SIZE];
	struct spool_last said; /* points into `text` */
	double peak_mib;        /* peak memory of the root; UNKNOWN if unknown */
	double time;            /* time of that figure, since the epoch */
};

/* Location of the processes of a run, according to its lock. */
enum last_place {
	LAST_UNKNOWN, /* before the last boot of this machine, or in a PID namespace that is not visible from here */
	LAST_HERE,    /* in this PID namespace */
	LAST_HERE_OR_BEFORE, /* in this PID namespace, or before the last boot, because the lock records no boot id */
	LAST_GONE            /* in a PID namespace without any process, such as that of a container that has ended */
};
enum last_place last_find_place(int at, struct process_id root);

/* Returns whether the process has ended. *wait_status: its status as from wait(2) if it is a zombie, else -1. */
bool last_has_ended(struct process_id id, int *wait_status);

/* Reads the last word of the root `root`. Returns false if there is none or it is unreadable. */
bool last_read(struct last *last, int at, struct process_id root);

/* Determine who killed a root: whether the kernel has killed a process of its control group for lack of memory since
 * `kills` was read from `file` (struct system_oom), or since the count in the last word. */
enum killer last_killer_since(const char *file, uint64_t kills);
enum killer last_killer(const struct spool_kills *kills);

/* Appends the root's exit row to exit.csv. `exit_code`: -1 if unknown. `exit_signal`: 0 if none or unknown.
 * `missing_seconds`: upper bound of the CPU time that may be missing, or UNKNOWN to use the bound from the last
 * word. */
void last_append_exit(const struct last *last, int at, int exit_code, int exit_signal, double missing_seconds);

/* Returns the time of the last row of a table, 0 if the table has no row yet, or UNKNOWN if there is no table or its
 * last row is torn. */
double last_time(int at, enum table_id table);

/* Returns the time of the last row in any table. A table without a readable row counts with its modification time.
 * Returns UNKNOWN if there is no table. */
double last_row_time(int at);

/* Appends the pending row of the last word to process.csv, unless the table already has a later row. */
void last_append_process(const struct last *last, int at);

#endif
