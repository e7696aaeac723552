/* What a root that was killed with its sampler left behind (core/spool.h: struct spool_last), for the process that
 * finds it gone and holds the run's lock; and how it is found to be gone. `at` is the run's directory. The sampler
 * takes it as rtrack-report does. */
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

/* Where the processes of a run are, or were, by its lock. */
enum last_place {
	LAST_UNKNOWN, /* before the last boot of this machine, or in a PID namespace that cannot be seen from here */
	LAST_HERE,    /* the run's pids are those of the processes here */
	LAST_HERE_OR_BEFORE, /* the same, unless it was before the last boot, which the lock does not tell */
	LAST_GONE            /* in a PID namespace without any process, as that of a container that has ended */
};
enum last_place last_find_place(int at, struct process_id root);

/* Whether the process has ended. `wait_status`: how, as wait(2) says it of one that is not reaped yet; else -1. */
bool last_has_ended(struct process_id id, int *wait_status);

/* False: the root `root` left nothing that can be read. */
bool last_read(struct last *last, int at, struct process_id root);

/* What killed a root: whether the kernel killed a process of its control group for lack of memory since `kills` were
 * counted in `file` (struct system_oom); and since what was left says. */
enum killer last_killer_since(const char *file, uint64_t kills);
enum killer last_killer(const struct spool_kills *kills);

/* Appends the root's exit row to exit.csv. `exit_code` -1: unknown; `exit_signal` 0: none, or unknown;
 * `missing_seconds`: CPU time that may be missing at most, UNKNOWN: as much as the root said. */
void last_append_exit(const struct last *last, int at, int exit_code, int exit_signal, double missing_seconds);

/* The time of the last row of a table; UNKNOWN: there is no table, or its last row is torn; 0: there is no row yet. */
double last_time(int at, enum table_id table);

/* The time of the last row in any table, or when a table was written that has none which can be read; UNKNOWN: there is
 * no table. */
double last_word(int at);

/* Appends the row to process.csv that was due, unless a later one is there. */
void last_append_process(const struct last *last, int at);

#endif
