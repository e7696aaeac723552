/* SPDX-License-Identifier: Apache-2.0 */
/* One run of a spool: its directory and what run.json says.
 *
 * A run with a missing or torn run.json is still a run: its id is the directory's name, and its tables are read. So a
 * run can be opened whenever its directory can, and every field here may be unknown: a text is "", a number UNKNOWN. */
#ifndef RTRACK_REPORT_SPOOL_RUN_H
#define RTRACK_REPORT_SPOOL_RUN_H

#include "core/number.h"
#include "core/spool.h"
#include "report/say/json.h"

#include <sys/stat.h>

struct run {
	char *directory;     /* owned */
	const char *id;      /* of run.json, else the last part of the directory */
	cJSON *json;         /* of run.json; an empty object when there is none that can be read */
	const char *problem; /* why run.json could not be read; NULL: it was */
	const char *job;     /* the id where run.json says none */
	const char *host;
	const char *user;
	const char *cwd;
	/* Of run.json ("" is unknown); but what ending_find says of a run that has lost its root, "interrupted" for one
	 * that stopped being written, and "unknown" for one that says "killed" of a root that may have ended by itself
	 * (ending_is_unheard). */
	const char *status;
	bool is_lost;          /* see run_is_lost */
	double silent_seconds; /* that one that runs has had no row, which is more than between two of them: it is
				* stopped, or its machine is; 0 */
	bool goes_on;          /* it ended, but processes that its root left behind are still followed */
	double start_time;     /* s since the epoch; of the id when run.json says none */
	double stop_time;
	double interval; /* s; 1 when unknown */
	double exit_code;
	double exit_signal;
	const char *limit;       /* of rtrack-run that ended it: "memory" or "seconds"; "": none did */
	double limit_memory_mib; /* that rtrack-run held it to; UNKNOWN, as of the seconds */
	double limit_seconds;
	char ends[160];     /* of a group: how many of its runs ended how; "": all finished, or it is of one run */
	bool lacked_memory; /* of a group: some run of it died for lack of memory */
	double vcpus;       /* of the machine */
	double online;      /* CPUs of the machine, whatever a quota leaves */
	double cpus;        /* what it can have given at most: affinity can be changed, and quotas come late */
	double machine_memory_mib; /* of the machine */
	double cgroup_seconds;     /* CPU time of the run's control group during the run */
	double cgroup_shared;      /* enum group_sharing: 0 no other process was in it, 1 others, 2 others came */
	bool launched;             /* by rtrack-run, which reaps whatever is left to it */
	bool attached;             /* rtrack-run --attach followed it: it is a part of a run */
	bool lacks_rows;           /* of its own, for one of the next three reasons. A process in no row is in no count
				    * of processes either */
	bool lacks_room;           /* a full disk or a limit kept rows of a process from being written */
	bool lacks_unknown;        /* the same of any row, or rtrack-run was killed: run.json does not tell which */
	bool lacks_slow;           /* the spool answered slowly: a process wrote nothing more */
	bool lacks_ticks;          /* the spool answered slowly: the sampler rested. No row is missing */
	double reaped_peak_mib;    /* of the largest process that rtrack-run or its children reaped */
};

/* Opens the run in `directory`. Returns 0, or -1 with errno when the directory itself cannot be read. */
int run_open(struct run *run, const char *directory);
void run_close(struct run *run);

/* Opens a file that the run's files name, for reading, and fills its status. They can name any file: therefore only a
 * regular one of the owner of the run is opened, and no link. Returns the descriptor, or -1. */
int run_open_file(const struct run *run, const char *path, struct stat *status);

/* What it asked for (`memory_mib`, `cpu`, … of `requested`); UNKNOWN: nothing. */
double run_asked(const struct run *run, const char *what);

/* Whether it ended and was followed to its end: its figures are complete and will not change. */
bool run_ended(const struct run *run);

/* Whether it goes on: neither its root nor its sampler has ended. */
bool run_is_running(const struct run *run);

/* Whether run.json says of its root that it was killed so. */
bool run_was_killed_by(const struct run *run, enum killer killer);

/* Whether the root ended without a record: after stop_time, by two intervals at most. */
bool run_is_lost(const struct run *run);

/* Its command line as a shell would take it; "" when unknown. The caller frees it. */
char *run_command_line(const struct run *run);

/* Its group, its rank there and its labels: "group 7.0, rank 2 of 4, team=bio"; "" where it has none. As above. */
char *run_labels_line(const struct run *run);

#endif
