/* SPDX-License-Identifier: Apache-2.0 */
/* Creates a run's directory. Used by the library in the root process and by the launcher; makes system calls only. */
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
	double memory_mib; /* UNKNOWN if unlimited, as is `seconds` */
	double seconds;
	int attempt; /* 1 for the first attempt, more for retries after running out of memory */
};

/* The file that stdout or stderr refers to, or an empty path. An output file of --keep-output is in the run's
 * directory; its path has no '/'. */
struct run_output {
	char path[SPOOL_PATH_MAX];
	uint64_t begin; /* offset of the next write */
};
void run_note_output(struct run_output *output, int descriptor);

struct run_start {
	const struct settings *settings;
	char *const *environment;
	char *const *arguments; /* the command line */
	int count;
	int pid;                          /* pid of the root */
	int64_t time_ns;                  /* start of the run since the epoch, for start_time and the run id */
	uint16_t random;                  /* random part of the run id */
	const char *mode;                 /* tracker.mode: "launcher", "preload", or RUN_MODE_ATTACH */
	const struct task *task;          /* the orchestrator's task */
	struct text parent;               /* id of the enclosing run; empty if none */
	char *const *job_environment;     /* environment of the root, or NULL if it is `environment` */
	const struct run_output *outputs; /* stdout and stderr of the command, or NULL if inherited from this process */
	const struct run_limits *limits;  /* limits enforced by rtrack-run, or NULL */
	/* User and system time that the root and its reaped children used before the run, which the job's figures
	 * exclude; 0 if the process begins with the run. */
	int64_t baseline_ns[2];
};

/* Appends the path for the run's directory, "<spool>/<run-id>", as an absolute path. A relative spool is resolved
 * against the working directory. Accesses no files. */
void run_path(struct buffer *out, const struct run_start *start);

/* Creates the spool (mode 0700, with parents) and the run's directory with run.json and the five CSV files with header
 * lines (mode 0600). `directory`: the path from run_path. Returns 0, or a negative os_error, after which at most the
 * spool itself is left. OS_ERROR_NOT_OURS: another user owns the spool, or group or others may write to it without the
 * sticky bit. */
int run_create(const struct run_start *start, const char *directory);

#endif
