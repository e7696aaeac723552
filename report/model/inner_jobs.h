/* SPDX-License-Identifier: Apache-2.0 */
/* The runs inside a pipeline, summed by job: which step costs most, and which task failed first.
 *
 * The runs are those directly inside the run of the pipeline, or those of a group. Runs inside these are part of them,
 * so no usage counts twice. report/history/inner_jobs_read.c fills the struct. */
#ifndef RTRACK_REPORT_MODEL_INNER_JOBS_H
#define RTRACK_REPORT_MODEL_INNER_JOBS_H

#include "report/model/outcome.h"
#include "report/model/output.h"

/* The runs of one job. Requests and usages are the largest of any of its runs. */
struct inner_job {
	char *name; /* owned */
	char *key;  /* result of job_key; owned */
	size_t runs;
	size_t failed;           /* number of runs that ended, but did not finish */
	double cpu_seconds;      /* sum */
	double wall_seconds;     /* sum of the durations */
	double memory_gib_hours; /* sum of peak memory times duration */
	double peak_memory_mib;
	double cpus, memory_mib, gpus; /* requests, or usages if the requests are unknown; they determine the price */
	double price;                  /* price of all runs, or UNKNOWN */
	char *costliest;               /* id of the run with the most CPU time; owned */
	double costliest_seconds;      /* CPU time of that run */
};

/* The task that made a pipeline fail: the first failed run for which no later attempt followed. If another attempt
 * followed each failed run, it is the run that failed last, or none for a group. */
struct inner_failure {
	char *id;         /* owned; NULL if no inner run failed, or if the pipeline did not fail */
	char *job;        /* owned */
	char attempt[24]; /* label "attempt" of the run, or "" */
	enum outcome outcome;
	double exit_code, exit_signal;
	char text[800];       /* "fit (sample=3, attempt 2): failed with exit status 4: `fit.py` ended with status 4" */
	struct output output; /* last lines that the task wrote to a file */
};

struct inner_jobs {
	struct inner_job *items; /* those with the most CPU time first; owned */
	size_t count;
	struct inner_job all;     /* sums over all jobs; without strings */
	double other_cpu_seconds; /* CPU time of the pipeline outside its inner runs; 0 for a group */
	char currency[8];         /* currency of the prices, or "" */
	struct inner_failure failure;
};

/* Returns the job's share of the pipeline's CPU time, between 0 and 1, or UNKNOWN. */
double inner_job_share(const struct inner_jobs *jobs, const struct inner_job *job);

/* Formats "align 2 min 3 s (62 %), sort 20 s (11 %), 4 more": the jobs with the most CPU time. Returns "" if there are
 * no jobs. */
enum { INNER_JOBS_SIZE = 400 };
const char *inner_jobs_describe(const struct inner_jobs *jobs, char text[INNER_JOBS_SIZE]);

/* Return the array "inner_jobs" and the object "first_failure" of JSON. The object is null if no inner run failed. The
 * caller owns the results. */
cJSON *inner_jobs_json(const struct inner_jobs *jobs);
cJSON *inner_failure_json(const struct inner_failure *failure);

void inner_jobs_free(struct inner_jobs *jobs);

#endif
