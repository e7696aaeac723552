/* SPDX-License-Identifier: Apache-2.0 */
/* Selects runs by the contents of run.json. */
#ifndef RTRACK_REPORT_SPOOL_CHOICE_H
#define RTRACK_REPORT_SPOOL_CHOICE_H

#include "report/spool/runs.h"

/* The script that started a run: the parent process, unless that is an interactive shell or itself a run. Several runs
 * of one script form a group, named HOST-PID-START after the script's process. */
struct script {
	char name[128];    /* "" if there is none */
	double start_time; /* seconds since the epoch, accurate to about a second; not later than its first run */
};
void script_of(struct script *script, const struct run *run);

struct choice {
	const char *job;    /* job name or glob; NULL for all */
	const char *group;  /* group, unit (unit.h) or script that the runs belong to; NULL for all */
	const char *labels; /* KEY=VALUE lines that all must match, with VALUE a glob; "" for all */
	const char *user;   /* user name; NULL for all */
	const char *status; /* status as `list` or JSON shows it; NULL for all. choice_has ignores it */
	double since;       /* seconds since the epoch, or UNKNOWN for all */
};

/* Whether job, user and start match. This function does not need run.json. */
bool choice_wants(const struct choice *choice, const char *job, const char *user, double start_time);

bool choice_has(const struct choice *choice, const struct run *run);

/* Like choice_has, for a run whose job and start are known to match. Reads run.json only if a group or label is
 * requested. Returns false after a message if the run cannot be read. */
bool choice_takes(const struct choice *choice, const struct runs *runs, const char *name);

#endif
