/* SPDX-License-Identifier: Apache-2.0 */
/* Selects runs by the contents of run.json. */
#ifndef RTRACK_REPORT_SPOOL_CHOICE_H
#define RTRACK_REPORT_SPOOL_CHOICE_H

#include "report/spool/runs.h"

/* The script that started a run. It is the run's parent process, unless the parent is an interactive shell or a run. If
 * a script starts several runs, they form a group with the name HOST-PID-START, where PID and START belong to the
 * script's process. */
struct script {
	char name[128]; /* "" if there is none */
	/* start time in seconds since the epoch, accurate to about a second; never later than the start of the script's
	 * first run */
	double start_time;
};
void script_of(struct script *script, const struct run *run);

struct choice {
	const char *job; /* job name or glob; NULL for all */
	/* only runs that belong to this group, unit (unit.h) or script; NULL for all */
	const char *group;
	/* only runs with all of these labels: one KEY=VALUE per line, where VALUE may be a glob; "" for all */
	const char *labels;
	const char *user;   /* user name; NULL for all */
	const char *status; /* status as shown by `list` or in JSON; NULL for all. choice_has ignores this field */
	double since;       /* seconds since the epoch, or UNKNOWN for all */
};

/* Returns whether a run with this job, user and start time matches. Group, labels and status are not checked, so the
 * caller does not need run.json. */
bool choice_wants(const struct choice *choice, const char *job, const char *user, double start_time);

bool choice_has(const struct choice *choice, const struct run *run);

/* Like choice_has, for a run whose job, user and start time are known to match. Reads run.json only if the choice has a
 * group or labels. Prints a message and returns false if the run cannot be read. */
bool choice_takes(const struct choice *choice, const struct runs *runs, const char *name);

#endif
