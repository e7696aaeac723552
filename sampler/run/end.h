/* How a run ends: what run.json says of it, and its removal. */
#ifndef RTRACK_SAMPLER_RUN_END_H
#define RTRACK_SAMPLER_RUN_END_H

#include "core/spool.h"

/* Which processes are in the control group of a run: the run's own, others or perhaps others, or an unknown one at the
 * end that was not there at the start. */
enum group_sharing { GROUP_OWN, GROUP_SHARED, GROUP_JOINED };

/* What the run's tables lack: rows of member.csv, as the spool's bound was reached; or a row of the run or of its
 * machine, which a full disk or a limit on the size of files kept from being written. */
enum truncation { TRUNCATED_NOT, TRUNCATED_MEMBERS, TRUNCATED_RUN };

struct run_end {
	int64_t time_ns;    /* stop_time */
	int exit_code;      /* -1: unknown (null) */
	int exit_signal;    /* 0: none (null) */
	bool lost;          /* it is unknown how the root ended, and it left no record: it was killed */
	enum killer killer; /* of the root */
	bool goes_on;       /* the root has ended, other members have not: the run stays open */
	const char *limit;  /* of rtrack-run that ended it: "memory", "seconds"; NULL: none */
	enum truncation truncated;
	uint64_t group_ns; /* CPU time of the group of processes in which the run is; 0: unknown */
	enum group_sharing group_sharing;
	uint64_t reaped_peak_kib; /* the largest ru_maxrss that wait4 told; 0: unknown */
	bool gpu;                 /* there may be a file of rtrack-gpu's to be removed */
};

/* Replaces stop_time, status, exit_code, exit_signal, killed_by and limits.reached in run.json by way of a rename:
 * "killed" after a signal and at a limit, "failed" after a status other than 0, else "finished".
 * May be called again, with a later stop_time. Returns 0 or a negative os_error. */
int run_finish(const char *directory, const struct run_end *end);

/* Removes a run's directory with the files that rtrack makes in it; nothing else is ever removed. */
void run_remove(const char *directory);

#endif
