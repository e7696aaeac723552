/* What a root left behind that was killed with its sampler (core/spool.h: struct spool_last), for whoever finds it gone
 * and holds the run's lock. `at` is the run's directory. The sampler takes it as rtrack-report does. */
#ifndef RTRACK_OS_LAST_H
#define RTRACK_OS_LAST_H

#include "core/columns.h"
#include "core/spool.h"
#include "os/process.h"

struct last {
	char text[SPOOL_LAST_SIZE];
	struct spool_last said; /* parts of `text` */
	double peak_mib;        /* of the root; UNKNOWN */
	double time;            /* when that was so, since the epoch */
};

/* False: the root `root` left nothing that can be read. */
bool last_read(struct last *last, int at, struct process_id root);

/* Whether the kernel killed a process of the root's control group for lack of memory since the last row but one. */
bool last_was_oom(const struct last *last);

/* Appends the root's exit row to exit.csv. `exit_code` -1: unknown; `exit_signal` 0: none, or unknown;
 * `missing_seconds`: CPU time that may be missing at most, UNKNOWN: as much as the root said. */
void last_append_exit(const struct last *last, int at, int exit_code, int exit_signal, double missing_seconds);

/* The time of the last row of a table; UNKNOWN: there is no table, or its last row is torn; 0: there is no row yet. */
double last_time(int at, enum table_id table);

/* Appends the row to process.csv that was due, unless a later one is there. */
void last_append_process(const struct last *last, int at);

#endif
