/* All jobs of a spool, each with its runs. */
#ifndef RTRACK_REPORT_COMMANDS_JOBS_H
#define RTRACK_REPORT_COMMANDS_JOBS_H

#include "report/history/uses.h"
#include "report/spool/choice.h"
#include "report/spool/runs.h"

struct job {
	char *name;         /* owned */
	const char **names; /* of its runs that are over, the newest first; the texts are those of `runs` */
	size_t count;
};

struct jobs {
	struct runs runs;
	const char *status; /* that their runs are to have; NULL: any */
	struct job *items;  /* by their names */
	size_t count;
};

/* Lists the jobs of the choice, of which `job` is a glob, with their runs that are over. Its `status` is judged where
 * the figures are read. Returns 0; or -1 with errno when no spool can be read or there is no memory. */
int jobs_list(struct jobs *jobs, const struct spools *spools, const struct choice *choice);
void jobs_free(struct jobs *jobs);

/* Reads what the latest runs of a job used, back to the `limit`th that finished, and as many again that did not, at
 * most; the oldest first. Returns 0, or -1 with errno. */
int jobs_read_uses(struct uses *uses, const struct jobs *jobs, const struct job *job, size_t limit);

#endif
