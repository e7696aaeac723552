/* SPDX-License-Identifier: Apache-2.0 */
/* Which runs are meant, by what their run.json says. */
#ifndef RTRACK_REPORT_SPOOL_CHOICE_H
#define RTRACK_REPORT_SPOOL_CHOICE_H

#include "report/spool/runs.h"

/* The script that a run is a command of: its parent, if that is no interactive shell and no run itself. Several runs of
 * one script are a group, with the name of the script: HOST-PID-START, the identity of its process. */
struct script {
	char name[128];    /* "": none */
	double start_time; /* s since the epoch, to a second or so: no run of it is older */
};
void script_of(struct script *script, const struct run *run);

struct choice {
	const char *job;    /* its name, or a glob; NULL: of any */
	const char *group;  /* or the unit (unit.h) or the script that they are of; NULL: of any, or of none */
	const char *labels; /* KEY=VALUE lines, all of which a run must have, VALUE a glob; "" is none */
	const char *user;   /* NULL: of any */
	const char *status; /* as list shows it, or a key of JSON; NULL: any. choice_has ignores it */
	double since;       /* s since the epoch; UNKNOWN: at any time */
};

/* Whether job, user and start are those of the choice: what is known of a run without its run.json. */
bool choice_wants(const struct choice *choice, const char *job, const char *user, double start_time);

bool choice_has(const struct choice *choice, const struct run *run);

/* The same of a run by its name, for callers that know its job and its time from elsewhere: run.json is read only where
 * a group or a label is asked for. One that cannot be read is said, and is not among them. */
bool choice_takes(const struct choice *choice, const struct runs *runs, const char *name);

#endif
