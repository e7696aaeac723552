/* All jobs of a spool, each with its runs. */
#ifndef RTRACK_REPORT_COMMANDS_JOBS_H
#define RTRACK_REPORT_COMMANDS_JOBS_H

#include "report/history/uses.h"
#include "report/spool/runs.h"

struct job {
	char *name;         /* owned */
	const char **names; /* of its runs that are over, the newest first; the texts are those of `runs` */
	size_t count;
};

struct jobs {
	struct runs runs;
	struct job *items; /* by their names */
	size_t count;
};

/* Lists the jobs with names that match the glob (NULL: all), of runs that began at `since` or later (UNKNOWN: all) and
 * are over. Returns 0; or -1 with errno when the spool cannot be read or there is no memory. */
int jobs_list(struct jobs *jobs, const char *spool, const char *glob, double since);
void jobs_free(struct jobs *jobs);

/* Reads what the latest runs of a job used, back to the `limit`th that finished, and as many again that did not, at
 * most; the oldest first. Returns 0, or -1 with errno. */
int jobs_read_uses(struct uses *uses, const struct jobs *jobs, const struct job *job, size_t limit);

#endif
