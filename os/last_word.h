/* SPDX-License-Identifier: Apache-2.0 */
/* The final record (struct spool_last in core/spool.h) of a root process that was killed together with its sampler.
 * Another sampler or rtrack-report finds the root dead, takes the lock of the run, and appends the record to the
 * tables. `at` is a descriptor of the run's directory. */
#ifndef RTRACK_OS_LAST_WORD_H
#define RTRACK_OS_LAST_WORD_H

#include "core/columns.h"
#include "core/spool.h"
#include "os/process.h"

struct last {
	char text[SPOOL_LAST_SIZE];
	struct spool_last said; /* parsed record, which points into `text` */
	double peak_mib;        /* peak memory of the root, or UNKNOWN */
	double time;            /* time of the peak, since the epoch */
	bool at_cpu_limit;      /* the root may have used the CPU time that RLIMIT_CPU allows */
};

/* Where the processes of a run are or were, as derived from the lock file. */
enum last_place {
	/* the machine was rebooted, or the caller cannot see the PID namespace of the processes */
	LAST_UNKNOWN,
	LAST_HERE, /* in this PID namespace */
	/* in the caller's PID namespace, but the boot is unknown, so the machine may have been rebooted */
	LAST_HERE_OR_BEFORE,
	LAST_GONE /* in a PID namespace without processes, such as the namespace of an ended container */
};
enum last_place last_find_place(int at, struct process_id root);

/* Returns whether the process has ended. Sets *wait_status to the status as from wait(2) if the process is a zombie,
 * otherwise to -1. */
bool last_has_ended(struct process_id id, int *wait_status);

/* Reads the final record of `root`. Returns false if there is none or it is unreadable. */
bool last_read(struct last *last, int at, struct process_id root);

/* Return whether the kernel killed a root because memory was short. They read the current number of out-of-memory
 * kills. last_killer_since compares the number in `file` with `kills`, an earlier number. The other function compares
 * it with the number in the final record. */
enum killer last_killer_since(const char *file, uint64_t kills);
enum killer last_killer(const struct spool_kills *kills);
/* Returns `killer`, or KILLER_CPU_LIMIT if the root was at its limit of CPU time and memory was not short. */
enum killer last_killer_or_limit(const struct last *last, enum killer killer);

/* Appends the root's exit row to exit.csv. `exit_code` is -1 if it is unknown. `exit_signal` is 0 if there is none or
 * it is unknown. `missing_seconds` is an upper bound of the CPU time that the row may lack. If it is UNKNOWN, the value
 * in the final record is used. */
void last_append_exit(const struct last *last, int at, int exit_code, int exit_signal, double missing_seconds);

/* Returns the time of the last row of a table. Returns 0 if the table has no row yet, and UNKNOWN if the table does not
 * exist or its last row is torn. */
double last_time(int at, enum table_id table);

/* Returns the time of the last row in any table, or UNKNOWN if no table exists. If a table has no readable row, the
 * modification time of its file is used. */
double last_row_time(int at);

/* Appends the row of process.csv in the final record. Does nothing if the table already has a row of the same time or
 * later. */
void last_append_process(const struct last *last, int at);

#endif
