/* SPDX-License-Identifier: Apache-2.0 */
/* The final record (struct spool_last in core/spool.h) of a root that was killed together with its sampler.
 *
 * The process that finds the root dead, and holds the run's lock, appends the record to the tables. This is a sampler
 * or rtrack-report. `at` is a descriptor of the run's directory. */
#ifndef RTRACK_OS_LAST_WORD_H
#define RTRACK_OS_LAST_WORD_H

#include "core/columns.h"
#include "core/spool.h"
#include "os/process.h"

struct last {
	char text[SPOOL_LAST_SIZE];
	struct spool_last said; /* the parsed record, which points into `text` */
	double peak_mib;        /* peak memory of the root, or UNKNOWN */
	double time;            /* time of the peak, since the epoch */
};

/* Where the processes of a run are or were, according to its lock file. */
enum last_place {
	/* the machine was rebooted, or the processes are in a PID namespace that is invisible to the caller */
	LAST_UNKNOWN,
	LAST_HERE,           /* in this PID namespace */
	LAST_HERE_OR_BEFORE, /* as LAST_HERE, but without a boot id: the machine may have been rebooted */
	LAST_GONE            /* in a PID namespace that has no process left, such as an ended container */
};
enum last_place last_find_place(int at, struct process_id root);

/* Returns whether the process has ended. Sets *wait_status to the status as from wait(2) if it is a zombie, else to
 * -1. */
bool last_has_ended(struct process_id id, int *wait_status);

/* Reads the final record of `root`. Returns false if there is none or it is unreadable. */
bool last_read(struct last *last, int at, struct process_id root);

/* Return whether the kernel killed a root for lack of memory. They compare the count of out-of-memory kills in `file`
 * with `kills`, an earlier value, or with the value in the final record (struct system_oom). */
enum killer last_killer_since(const char *file, uint64_t kills);
enum killer last_killer(const struct spool_kills *kills);

/* Appends the root's exit row to exit.csv. `exit_code`: -1 if unknown. `exit_signal`: 0 if none or unknown.
 * `missing_seconds`: upper bound of the CPU time that may be missing; UNKNOWN to use the value in the final record. */
void last_append_exit(const struct last *last, int at, int exit_code, int exit_signal, double missing_seconds);

/* Returns the time of the last row of a table. Returns 0 if the table has no row yet, and UNKNOWN if there is no table
 * or its last row is torn. */
double last_time(int at, enum table_id table);

/* Returns the time of the last row in any table, or UNKNOWN if there is no table. For a table without a readable row,
 * the file's modification time is used. */
double last_row_time(int at);

/* Appends the row of process.csv from the final record, unless the table already has a later row. */
void last_append_process(const struct last *last, int at);

#endif
