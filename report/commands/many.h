/* SPDX-License-Identifier: Apache-2.0 */
/* Shared by commands on many runs: the selection of runs, and the jobs of a spool. */
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
	char *key;          /* result of job_key; owned */
	char *name;         /* name of the job; if several jobs have this name, the title from job_key_title; owned */
	const char **names; /* names of the job's ended runs, newest first; the strings belong to `runs` */
	size_t count;
};

struct jobs {
	struct runs runs;
	const char *status; /* status that the runs must have, or NULL */
	struct job *items;  /* sorted by name */
	size_t count;
};

/* An ended run of a job, with its requested and used resources. */
struct job_run {
	struct digest digest; /* owned */
	size_t job;           /* index into the jobs */
	struct waste waste;   /* requested and used resources; concurrent runs are charged once, to the first */
	bool asked;           /* a request is known */
	bool within;          /* the run is part of another run, or a duplicate */
	bool asked_around;    /* an enclosing run has a known request */
};

/* Data about the other runs of a job, for the page of a run in a site. */
struct page_given {
	const char *path;
	struct uses earlier;    /* the ended runs before it, oldest first */
	struct history history; /* the page takes ownership of `history` and `over_time` */
	char *over_time;        /* the section on the job's runs */
};

/* Writes the page of a run in a site. Returns the exit status, after a message if it is not EXIT_DONE. */
int html_page_of_site(const struct options *options, struct run *run, struct page_given *given);

/* The selection of runs by the options. */
struct choice options_choice(const struct options *options);
/* Whether a run matches a selection, including its status. `name` is the name of the run's directory. */
bool many_takes(const struct choice *choice, const struct runs *runs, const char *name, const struct run *run);
/* Lists the jobs in the spools of the options, or in `spool`, with their ended runs. --status is applied when figures
 * are read. Returns 0, or -1 after a message. */
int options_list_jobs(struct jobs *jobs, const struct options *options, const char *spool);
void jobs_free(struct jobs *jobs);

/* Reads the runs of all jobs. The caller frees them by job_runs_free. */
struct job_run *jobs_read_runs(const struct jobs *jobs, size_t *count);
void job_runs_free(struct job_run *runs, size_t count);

/* Reads the usage of the latest runs of a job, oldest first: at most `limit` finished runs and at most `limit`
 * unfinished runs. */
void jobs_read_uses(struct uses *uses, const struct jobs *jobs, const struct job *job, size_t limit);

#endif
