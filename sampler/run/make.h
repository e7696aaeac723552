/* SPDX-License-Identifier: Apache-2.0 */
/* Creates a run's directory. rtrack-run and the library in the root use these functions, which make only system
 * calls. */
#ifndef RTRACK_SAMPLER_RUN_MAKE_H
#define RTRACK_SAMPLER_RUN_MAKE_H

#include "core/settings.h"
#include "core/spool.h"
#include "os/error.h"
#include "os/system.h"
#include "sampler/run/task.h"

/* tracker.mode of a run that was attached to an existing process. */
#define RUN_MODE_ATTACH "attach"

struct run_limits {
	double memory_mib; /* UNKNOWN if there is no limit; the same applies to `seconds` */
	double seconds;
	int attempt; /* 1 for the first attempt; it grows with each retry after running out of memory */
};

/* The file to which stdout or stderr refers, or an empty path. An output file of --keep-output is in the run's
 * directory, and its path has no '/'. */
struct run_output {
	char path[SPOOL_PATH_MAX];
	uint64_t begin; /* file offset of the first write */
};
void run_note_output(struct run_output *output, int descriptor);

struct run_start {
	const struct settings *settings;
	char *const *environment;
	char *const *arguments; /* the command line */
	int count;
	int pid;                 /* pid of the root */
	int64_t time_ns;         /* start of the run since the epoch, for start_time and the run id */
	uint16_t random;         /* random number for the run id */
	const char *mode;        /* tracker.mode: "launcher", "preload", or RUN_MODE_ATTACH */
	const struct task *task; /* task of the orchestrator that contains the run */
	struct text parent;      /* id of the enclosing run; empty if none */
	/* Environment of the root if it differs from `environment`, otherwise NULL. */
	char *const *job_environment;
	const struct run_output *outputs; /* stdout and stderr of the command, or NULL if inherited from this process */
	const struct run_limits *limits;  /* limits enforced by rtrack-run, or NULL */
	/* User and system time of the root and its reaped children before the run, which the run excludes. 0 if the
	 * process begins with the run. */
	int64_t baseline_ns[2];
};

/* Appends the absolute path for the run's directory, "<spool>/<run-id>". A relative spool is resolved against the
 * working directory. Accesses no files. */
void run_path(struct buffer *out, const struct run_start *start);

/* Creates the spool (mode 0700, with its parents) and the run's directory `directory`, the path from run_path. The
 * directory gets run.json and the five CSV files with header lines (mode 0600). Returns 0 or a negative os_error. After
 * an error, nothing but the spool is left. OS_ERROR_NOT_OURS: another user owns the spool, or others may write to it
 * without the sticky bit. */
int run_create(const struct run_start *start, const char *directory);

#endif
