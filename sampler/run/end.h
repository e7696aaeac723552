/* SPDX-License-Identifier: Apache-2.0 */
/* The end of a run: its record in run.json, and its removal. */
#ifndef RTRACK_SAMPLER_RUN_END_H
#define RTRACK_SAMPLER_RUN_END_H

#include "core/spool.h"

/* Processes in the run's control group: only the run's own; others, certainly or possibly; or an unknown one at the end
 * that was not there at the start. */
enum group_sharing { GROUP_OWN, GROUP_SHARED, GROUP_JOINED };

/* What the run's tables lack: nothing; rows of member.csv, because the run's size limit was reached; or rows of the run
 * or the machine, because of a full disk or a file size limit. */
enum truncation { TRUNCATED_NOT, TRUNCATED_MEMBERS, TRUNCATED_RUN };

struct run_end {
	int64_t time_ns;    /* stop_time */
	int exit_code;      /* -1 if unknown (null) */
	int exit_signal;    /* 0 if none (null) */
	bool lost;          /* the root left no exit record, so it was killed, but its status is unknown */
	enum killer killer; /* who killed the root */
	bool goes_on;       /* the root has ended, but other members live: the run stays open */
	const char *limit;  /* limit of rtrack-run that ended the run, "memory" or "seconds"; NULL if none */
	enum truncation truncated;
	uint64_t group_ns; /* CPU time of the control group that contains the run; 0 if unknown */
	enum group_sharing group_sharing;
	uint64_t reaped_peak_kib; /* largest ru_maxrss from wait4; 0 if unknown */
	bool gpu;                 /* rtrack-gpu may have left a file to remove */
};

/* Replaces stop_time, status, exit_code, exit_signal, killed_by and limits.reached in run.json, by a rename. The status
 * is "killed" after a signal or at a limit, "failed" after a nonzero exit status, and otherwise "finished". It may be
 * called again with a later stop_time. Returns 0 or a negative os_error. */
int run_finish(const char *directory, const struct run_end *end);

/* Removes a run's directory and the files in it that rtrack creates, but never any other file. */
void run_remove(const char *directory);

#endif
