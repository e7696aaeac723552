/* SPDX-License-Identifier: Apache-2.0 */
/* One run of a spool: its directory and the contents of run.json.
 *
 * A run can be opened even if its run.json is missing or truncated. In that case, its id is the directory's name, and
 * its tables can still be read. Therefore, every field may be unknown, which means "" for strings and UNKNOWN for
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
	const char *job;     /* job name, or the id if run.json has no job */
	const char *host;
	const char *user;   /* user to whom the run belongs (owner.h) */
	char *claimed_user; /* user in run.json if it differs, else NULL; owned */
	const char *cwd;
	/* Status from run.json, or "" if unknown. It is corrected in three cases. If the root is gone, ending_find
	 * determines the status. If nobody writes rows any more, a running run is "interrupted". If the status is
	 * "killed" but the root may have ended by itself (ending_is_unheard), it becomes "unknown". */
	const char *status;
	bool is_lost; /* result of run_is_lost */
	/* time for which a running run has written no rows, in seconds; 0 if that time is normal; otherwise the run or
	 * its machine may be stopped */
	double silent_seconds;
	bool goes_on;      /* the root has ended, but other processes of the run are still sampled */
	double start_time; /* start in seconds since the epoch; taken from the id if run.json does not contain it */
	double stop_time;
	double interval; /* seconds; 1 if unknown */
	double exit_code;
	double exit_signal;
	const char *limit;       /* limit of rtrack-run that ended the run: "memory", "seconds" or "" */
	double limit_memory_mib; /* limits enforced by rtrack-run, or UNKNOWN */
	double limit_seconds;
	/* how the runs of a group ended, such as "2 of 4 runs failed"; "" if all finished, or if this is a single
	 * run */
	char ends[160];
	/* how many runs of a group did not finish and were retried, such as "; 1 of 5 runs failed and was retried"; ""
	 * if none, or if this is a single run */
	char retries[200];
	bool lacked_memory; /* this is a group, and one of its runs ran out of memory */
	double vcpus;       /* CPUs of the machine that the run could use */
	double online;      /* CPUs of the machine, regardless of quotas */
	/* upper bound of the number of CPUs that the run could use; its affinity may change, and a quota may be set
	 * late */
	double cpus;
	double machine_memory_mib; /* memory of the machine */
	double cgroup_seconds;     /* CPU time of the run's control group during the run */
	/* 0 if the run's control group contained only the run, 1 if it also contained other processes, 2 if another
	 * process joined it during the run (enum group_sharing) */
	double cgroup_shared;
	bool launched; /* the run was started by rtrack-run, which reaps orphans */
	bool attached; /* the run was tracked by rtrack-run --attach, so only a part of it is recorded */
	/* rows are missing for one of the reasons below, so figures may not include all processes */
	bool lacks_rows;
	bool lacks_room;        /* rows of a process could not be written because of a full disk or a file size limit */
	bool lacks_unknown;     /* rows are missing for an unknown reason, or rtrack-run was killed */
	bool lacks_slow;        /* rows are missing, because a process stopped writing to a slow spool */
	bool lacks_library;     /* no process loaded the library; the Slurm plugin wrote the figures of the task */
	bool lacks_ticks;       /* the sampler paused because the spool was slow, but no row is missing */
	double reaped_peak_mib; /* largest peak memory of any process that rtrack-run or its children reaped */
};

/* Opens the run in `directory`, which must not be a symbolic link. Returns 0, or -1 with errno if the directory cannot
 * be read. */
int run_open(struct run *run, const char *directory);
void run_close(struct run *run);

/* Returns a label of the run, or "" if it has no such label. */
const char *run_label(const struct run *run, const char *key);

/* Returns a requested amount, or UNKNOWN. `what` is a key of "requested" in run.json, such as "memory_mib" or "cpu". */
double run_asked(const struct run *run, const char *what);

/* Returns whether the run ended and was tracked to its end. Its figures are then complete and final. */
bool run_ended(const struct run *run);

/* Returns whether the run is in progress: neither its root nor its sampler has ended. */
bool run_is_running(const struct run *run);

/* Returns whether a signal ended the run when the time that its scheduler allows was over. The end of that time is
 * `requested.end_time`, else the start of the run plus `requested.seconds`. */
bool run_met_deadline(const struct run *run);

/* Returns whether this killer ended the root, according to run.json. */
bool run_was_killed_by(const struct run *run, enum killer killer);

/* Returns whether the root ended without recording its end. In this case, stop_time may be up to two intervals too
 * early. */
bool run_is_lost(const struct run *run);

/* Returns the command line in shell syntax, or "" if unknown. The caller must free it. */
char *run_command_line(const struct run *run);

/* Returns the group, rank and labels as text, such as "group 7.0, rank 2 of 4, team=bio". Returns "" if there are none.
 * The caller must free it. */
char *run_labels_line(const struct run *run);

/* Returns whether the run has all of these labels: one KEY=VALUE per line, where VALUE may be a glob. */
bool run_has_labels(const struct run *run, const char *lines);

#endif
