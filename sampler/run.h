/* A run's directory: how it begins and how it ends. Used by the library in the root process and by
 * the launcher; system calls only. */
#ifndef RTRACK_SAMPLER_RUN_H
#define RTRACK_SAMPLER_RUN_H

#include "core/settings.h"
#include "core/spool.h"
#include "os/error.h"

struct run_start {
	const struct settings *settings;
	char *const *environment;
	char *const *arguments; /* the command line */
	int count;
	int pid;                /* the root process */
	int64_t time_ns;        /* since the epoch: start_time, and the time in the id */
	uint16_t random;        /* of the id */
	const char *mode;       /* tracker.mode: "launcher" or "preload" */
	struct text parent;     /* id of the run around this one; empty if there is none */
	int64_t baseline_ns[2]; /* user and system time of the root, its reaped children included, that
				   are not the job's (see ledger.h); 0 for a fresh process */
};

/* Where the run's directory will be: appends "<spool>/<run-id>", absolute (relative spools are made
 * absolute with the working directory). No file is touched. */
void run_path(struct buffer *out, const struct run_start *start);

/* Makes the spool (0700, with parents) and the run's directory with run.json and the five CSV files
 * with their header lines (0600). `directory` is what run_path gave. Returns 0, or a negative os_error with
 * nothing left behind but perhaps the spool itself. Refuses (-EPERM) a spool that another user owns
 * or that group or others may write to, unless it is sticky. */
int run_create(const struct run_start *start, const char *directory);

/* Whether `directory` (a value of RTRACK_RUN) is a run's directory of this user. */
bool run_is_ours(const char *directory);

/* Whether the run has not come to its end. */
bool run_goes_on(const char *directory);

/* Whether the run goes on, and its sampler knows this process by the pid that it has for itself; `pid_view` is
 * os_pid_view(). In a PID namespace below the sampler's pids are others: a process there is seen from outside, and must
 * not speak of itself. */
bool run_is_open(const char *directory, uint64_t pid_view);

/* Whether a sampler holds the run's lock. */
bool run_is_sampled(const char *directory);

/* The directory of the run that process `pid` or the nearest of its ancestors roots, for a process whose environment
 * lost RTRACK_RUN. False: there is none. */
bool run_find_ancestor(struct buffer *out, int pid);

struct run_end {
	int64_t time_ns;          /* stop_time */
	int exit_code;            /* -1: unknown (null) */
	int exit_signal;          /* 0: none (null) */
	bool lost;                /* nobody knows how the root ended, and it left no record: it was killed */
	bool goes_on;             /* the root has ended, other members have not: the run stays open */
	bool truncated;           /* the spool's bound was reached */
	uint64_t reaped_peak_kib; /* the largest ru_maxrss that wait4 told; 0: nobody asked it */
};

/* Replaces stop_time, status, exit_code and exit_signal in run.json by way of a rename:
 * "killed" after a signal, "failed" after a status other than 0, else "finished".
 * May be called again, with a later stop_time. Returns 0 or a negative os_error. */
int run_finish(const char *directory, const struct run_end *end);

/* The cloud that a run is in; unknown texts are empty, the others are of letters, digits and "._-". */
struct run_cloud {
	struct text vendor;
	struct text instance_type;
	struct text region;
};

/* Adds cloud{} to run.json by way of a rename, unless it is there. Only whoever samples the run may call this: run.json
 * has one writer at a time. Returns 0 or a negative os_error. */
int run_add_cloud(const char *directory, const struct run_cloud *cloud);

/* Removes a run's directory with the files that rtrack makes in it; nothing else is ever removed. */
void run_remove(const char *directory);

/* The interval (s) and start_time (s since the epoch), baselines (ns) and start of the root that run.json holds; 0 or a
 * negative os_error. */
struct run_facts {
	double interval;
	double start_time;
	int64_t baseline_ns[2];
	uint64_t root_start; /* as struct process_id has it; 0: unknown */
};
int run_facts(const char *directory, struct run_facts *facts);

#endif
