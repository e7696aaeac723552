/* SPDX-License-Identifier: Apache-2.0 */
/* One run of a spool: its directory and the contents of run.json.
 *
 * A run whose run.json is missing or truncated is still a run: its id is the directory's name, and its tables are read.
 * A run can therefore be opened whenever its directory can, and every field may be unknown: "" for strings, UNKNOWN for
 * numbers. */
#ifndef RTRACK_REPORT_SPOOL_RUN_H
#define RTRACK_REPORT_SPOOL_RUN_H

#include "core/number.h"
#include "core/spool.h"
#include "report/say/json.h"
#include "report/spool/files.h"

struct run {
	char *directory;     /* owned */
	struct files files;  /* the files in the open directory */
	const char *id;      /* the last part of the path */
	char *claimed_id;    /* id in run.json if it differs, else NULL; owned */
	cJSON *json;         /* run.json; an empty object if it cannot be read */
	const char *problem; /* why run.json could not be read, or NULL */
	const char *job;     /* the id if run.json has no job */
	const char *host;
	const char *user;
	const char *cwd;
	/* Status of run.json, or "" if unknown, with three corrections. A run whose root is gone has the status of
	 * ending_find, and a run that is no longer written is "interrupted". A "killed" root that may have ended by
	 * itself is "unknown" (ending_is_unheard). */
	const char *status;
	bool is_lost; /* result of run_is_lost */
	/* time without rows of a running run, if that is unusually long because the run or its machine is stopped; else
	 * 0 */
	double silent_seconds;
	bool goes_on;      /* the root has ended, but processes that it left behind are still sampled */
	double start_time; /* seconds since the epoch; taken from the id if run.json has no start time */
	double stop_time;
	double interval; /* seconds; 1 if unknown */
	double exit_code;
	double exit_signal;
	const char *limit;       /* limit of rtrack-run that ended the run: "memory", "seconds" or "" */
	double limit_memory_mib; /* limits enforced by rtrack-run, or UNKNOWN */
	double limit_seconds;
	char ends[160]; /* for a group, how its runs ended, such as "2 of 4 runs failed"; "" if all finished, or for a
			   single run */
	bool lacked_memory; /* for a group: one of its runs ran out of memory */
	double vcpus;       /* CPUs of the machine that the run could use */
	double online;      /* CPUs of the machine, regardless of quotas */
	double cpus; /* upper bound of the CPUs of the run, because its affinity may change and quotas may be set late
		      */
	double machine_memory_mib; /* memory of the machine */
	double cgroup_seconds;     /* CPU time of the run's control group during the run */
	/* 0 if the run had its own control group, 1 if it shared the group, 2 if other processes joined it (enum
	 * group_sharing) */
	double cgroup_shared;
	bool launched; /* started by rtrack-run, which reaps orphans */
	bool attached; /* tracked by rtrack-run --attach: only a part of a run */
	/* rows are missing for one of the next three reasons, so that some processes may not be counted */
	bool lacks_rows;
	bool lacks_room;        /* rows of a process could not be written because of a full disk or a limit */
	bool lacks_unknown;     /* rows are missing for an unknown reason, or rtrack-run was killed */
	bool lacks_slow;        /* the spool was slow: a process stopped writing */
	bool lacks_ticks;       /* the spool was slow: the sampler paused. No row is missing */
	double reaped_peak_mib; /* peak memory of the largest process that rtrack-run or its children reaped */
};

/* Opens the run in `directory`, which must not be a link. Returns 0, or -1 with errno if the directory cannot be read.
 */
int run_open(struct run *run, const char *directory);
void run_close(struct run *run);

/* A requested amount (`memory_mib`, `cpu`, … in `requested`), or UNKNOWN. */
double run_asked(const struct run *run, const char *what);

/* Whether the run ended and was tracked to its end. Its figures are then complete and final. */
bool run_ended(const struct run *run);

/* Whether the run is in progress: neither its root nor its sampler has ended. */
bool run_is_running(const struct run *run);

/* Whether run.json names this killer of the root. */
bool run_was_killed_by(const struct run *run, enum killer killer);

/* Whether the root ended without a record, at most two intervals after stop_time. */
bool run_is_lost(const struct run *run);

/* The command line in shell syntax, or "" if unknown. The caller frees it. */
char *run_command_line(const struct run *run);

/* Group, rank and labels, as in "group 7.0, rank 2 of 4, team=bio", or "". The caller frees it. */
char *run_labels_line(const struct run *run);

#endif
