/* SPDX-License-Identifier: Apache-2.0 */
/* Functions for commands on many runs: they select runs, list the jobs of a spool, and read the runs of a job. */
#ifndef RTRACK_REPORT_COMMANDS_MANY_H
#define RTRACK_REPORT_COMMANDS_MANY_H

#include "report/model/group.h"
#include "report/history/digest.h"
#include "report/history/history.h"
#include "report/history/uses.h"
#include "report/history/waste.h"
#include "report/commands/options.h"
#include "report/say/exit.h"
#include "report/spool/choice.h"
#include "report/spool/runs.h"

struct job {
	char *key; /* result of job_key; owned */
	/* name of the job, or the title from job_key_title if several jobs have this name; owned */
	char *name;
	const char **names; /* names of the job's ended runs, newest first; the strings belong to `runs` */
	size_t count;
};

struct jobs {
	struct runs runs;
	const char *status; /* status of the runs to read, or NULL for all */
	struct job *items;  /* sorted by name */
	size_t count;
};

/* An ended run of a job, with its requested and used resources. */
struct job_run {
	struct digest digest; /* owned */
	size_t job;           /* index into the jobs */
	/* Requested and used resources. For overlapping runs of one allocation on one machine, the first run has the
	 * sum, and the others have nothing. */
	struct waste waste;
	bool asked;        /* a request is known */
	bool within;       /* whether the run is part of another run, or a duplicate */
	bool asked_around; /* whether a run that contains this run has a known request */
};

struct site;
struct trend_run;

/* Data about the other runs of a job, for the page of a run in a site. */
struct page_given {
	const char *path;
	struct uses earlier;    /* the ended runs before this run, oldest first */
	struct history history; /* The page takes ownership of `history` and `over_time`. */
	char *over_time;        /* HTML of the section on the job's runs */
	const struct site *site;
	const struct trend_run *place; /* the run in the site */
};

/* Writes the page of a run in a site. Returns the exit status, after a message if it is not EXIT_DONE. */
int html_page_of_site(const struct options *options, struct run *run, struct page_given *given);

/* Returns the selection of runs that the options describe. */
struct choice options_choice(const struct options *options);
/* Returns whether a run matches a selection, including its status. `name` is the name of the run's directory. */
bool many_takes(const struct choice *choice, const struct runs *runs, const char *name, const struct run *run);
/* Lists the jobs with their ended runs, in the spools of the options or otherwise in `spool`. Ignores --status, because
 * the status is checked when the figures are read. Returns 0, or -1 after a message. */
int options_list_jobs(struct jobs *jobs, const struct options *options, const char *spool);
void jobs_free(struct jobs *jobs);

/* Reads the runs of all jobs. The caller must free them with job_runs_free. */
struct job_run *jobs_read_runs(const struct jobs *jobs, size_t *count);
void job_runs_free(struct job_run *runs, size_t count);

/* Reads the usage of the latest runs of a job, oldest first, until uses_want_more returns false. The script and the
 * steps of one attempt of a Slurm job are one run, and so are the ranks of a group. The memory of such a run is the sum
 * of the peaks of its parts that ran at the same time on one machine, at the moment and on the machine where this sum
 * is largest. */
void jobs_read_uses(struct uses *uses, const struct jobs *jobs, const struct job *job, size_t limit);

#endif
