/* SPDX-License-Identifier: Apache-2.0 */
/* Completes run.json at the end of a run, or removes the run. */
#ifndef RTRACK_SAMPLER_RUN_END_H
#define RTRACK_SAMPLER_RUN_END_H

#include "core/spool.h"

/* Which processes are in the run's control group. OWN: only processes of the run. SHARED: perhaps also foreign
 * processes. JOINED: at the end, also an unknown process that was not there at the start. */
enum group_sharing { GROUP_OWN, GROUP_SHARED, GROUP_JOINED };

/* Which rows are missing. MEMBERS: rows of member.csv, because the run has reached its size limit. RUN: any rows,
 * because of a full disk or a file size limit. */
enum truncation { TRUNCATED_NOT, TRUNCATED_MEMBERS, TRUNCATED_RUN };

struct run_end {
	int64_t time_ns;    /* for stop_time */
	int exit_code;      /* exit status of the root; if unknown, -1 (null in run.json) */
	int exit_signal;    /* signal that killed the root; if none, 0 (null in run.json) */
	bool lost;          /* the root has left no exit record, so it was killed, but its status is unknown */
	enum killer killer; /* the kernel or a process that killed the root */
	bool goes_on;       /* the root has ended, but other processes are alive, so the run stays open */
	const char *limit;  /* limit of rtrack-run that has ended the run, "memory" or "seconds", or NULL */
	enum truncation truncated;
	uint64_t group_ns; /* CPU time of the control group in which the run executes; 0 if unknown */
	enum group_sharing group_sharing;
	uint64_t reaped_peak_kib; /* largest ru_maxrss returned by wait4; 0 if unknown */
	bool gpu;                 /* rtrack-gpu may have left its file, so it must be removed */
};

/* Replaces stop_time, status, exit_code, exit_signal, killed_by and limits.reached in run.json atomically. The status
 * is "killed" after a signal or at a limit, "failed" after a nonzero exit status, and otherwise "finished". A later
 * call may pass a later stop_time. Returns 0 or a negative os_error. */
int run_finish(const char *directory, const struct run_end *end);

/* Removes a run's directory and the files that rtrack creates in it, but never any other file. */
void run_remove(const char *directory);

#endif
