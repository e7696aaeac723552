/* What each job of a spool should ask for the next time. */
#ifndef RTRACK_REPORT_COMMANDS_REQUESTS_H
#define RTRACK_REPORT_COMMANDS_REQUESTS_H

#include "report/advice/allowance.h"
#include "report/commands/jobs.h"

struct requests_wish {
	bool classic;
	struct allowance_wish allowance; /* its `earlier` counts by the classic rule as well */
};

/* The request of a job of the list, by the runs that are over. Returns 1; 0 when none of its runs can be read any more;
 * or -1 with errno when there is no memory. */
int requests_make(struct recommendation *recommendation, const struct jobs *jobs, const struct job *job,
	const struct requests_wish *wish);

#endif
