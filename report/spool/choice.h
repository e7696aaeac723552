/* Which runs are meant, by what their run.json says. */
#ifndef RTRACK_REPORT_SPOOL_CHOICE_H
#define RTRACK_REPORT_SPOOL_CHOICE_H

#include "report/spool/run.h"

struct choice {
	const char *job;    /* NULL: of any */
	const char *group;  /* NULL: of any, or of none */
	const char *labels; /* KEY=VALUE lines, all of which a run must have; "" is none */
	double since;       /* s since the epoch; UNKNOWN: at any time */
};

bool choice_has(const struct choice *choice, const struct run *run);

/* Whether it asks for more than a job and a time, so that run.json has to be read. */
bool choice_needs_run(const struct choice *choice);

#endif
