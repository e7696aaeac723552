/* All jobs of a spool, each with its runs. */
#ifndef RTRACK_REPORT_COMMANDS_JOBS_H
#define RTRACK_REPORT_COMMANDS_JOBS_H

#include "report/history/uses.h"
#include "report/spool/choice.h"
#include "report/spool/runs.h"

struct job {
	char *name;         /* owned */
	const char **names; /* of its runs that ended, the newest first; the texts belong to `runs` */
	size_t count;
};

struct jobs {
	struct runs runs;
	const char *status; /* that the runs must have, or NULL for any */
	struct job *items;  /* by their names */
	size_t count;
};

/* Lists the jobs of the choice, whose `job` is a glob, with their runs that ended. Its `status` is judged when the
 * figures are read. Returns 0, or -1 with errno if no spool can be read. */
int jobs_list(struct jobs *jobs, const struct spools *spools, const struct choice *choice);
void jobs_free(struct jobs *jobs);

/* Reads the usage of the latest runs of a job, the oldest first: of at most `limit` runs that finished, and as many
 * that did not. */
void jobs_read_uses(struct uses *uses, const struct jobs *jobs, const struct job *job, size_t limit);

#endif
