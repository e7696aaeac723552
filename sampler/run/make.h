/* How a run's directory begins. Used by the library in the root process and by the launcher; system calls only. */
#ifndef RTRACK_SAMPLER_RUN_MAKE_H
#define RTRACK_SAMPLER_RUN_MAKE_H

#include "core/settings.h"
#include "core/spool.h"
#include "os/error.h"
#include "os/system.h"
#include "sampler/run/task.h"

/* tracker.mode of a run with a root that had begun before, and is no process of ours. */
#define RUN_MODE_ATTACH "attach"

struct run_limits {
	double memory_mib; /* UNKNOWN: none, as of the seconds */
	double seconds;
	int attempt; /* 1, and more after a death for lack of memory */
};

/* The file that stdout or stderr is; an empty path: none. One that rtrack-run keeps is in the run's directory, and has
 * a name without a '/'. */
struct run_output {
	char path[SPOOL_PATH_MAX];
	uint64_t begin; /* where the next byte goes */
};
void run_note_output(struct run_output *output, int descriptor);

struct run_start {
	const struct settings *settings;
	char *const *environment;
	char *const *arguments; /* the command line */
	int count;
	int pid;                          /* the root process */
	int64_t time_ns;                  /* since the epoch: start_time, and the time in the id */
	uint16_t random;                  /* of the id */
	const char *mode;                 /* tracker.mode: "launcher", "preload", or RUN_MODE_ATTACH */
	const struct task *task;          /* what its orchestrator calls it */
	struct text parent;               /* id of the run around this one; empty if there is none */
	char *const *job_environment;     /* of the root, if it is not `environment`; else NULL */
	const struct run_output *outputs; /* stdout and stderr of the command; NULL: as this process has them */
	const struct run_limits *limits;  /* that rtrack-run holds the run to; NULL: none */
	/* User and system time that the root and its reaped children used before the run, which is not the job's; 0 for
	 * a process that begins with the run. */
	int64_t baseline_ns[2];
};

/* Where the run's directory will be: appends "<spool>/<run-id>", absolute (relative spools are made
 * absolute with the working directory). No file is touched. */
void run_path(struct buffer *out, const struct run_start *start);

/* Makes the spool (0700, with parents) and the run's directory with run.json and the five CSV files with their header
 * lines (0600). `directory` is what run_path gave. Returns 0, or a negative os_error; then nothing is left behind but
 * perhaps the spool itself. OS_ERROR_NOT_OURS: a spool that another user owns, or that group or others may write to,
 * unless it is sticky. */
int run_create(const struct run_start *start, const char *directory);

#endif
