/* SPDX-License-Identifier: Apache-2.0 */
/* --max-memory and --max-seconds: limits for the command and all its descendants.
 *
 * At a limit, every process of the run gets SIGTERM, and after a grace period SIGKILL, which is repeated until no
 * process is left, including newly started ones. The launcher's exit status is then LIMITS_STATUS. Limits apply while
 * the launcher runs; daemons that outlive the command are not limited. */
#ifndef RTRACK_LAUNCHER_LIMITS_H
#define RTRACK_LAUNCHER_LIMITS_H

#include "launcher/memory_cgroup.h"
#include "launcher/options.h"
#include "sampler/sampler.h"

enum { LIMITS_STATUS = 124 /* as for timeout(1) */ };

enum limit { LIMIT_NONE, LIMIT_MEMORY, LIMIT_SECONDS };

struct limits {
	double memory_mib; /* UNKNOWN if unlimited, as is `seconds` */
	double seconds;
	enum limit reached;
	int64_t next_ns;         /* since boot: end of the time limit, later the next SIGKILL; 0 if none */
	int64_t give_up_ns;      /* time after which processes that survive SIGKILL are ignored */
	pid_t root;              /* pid of the command */
	struct sampler *sampler; /* NULL if not sampling: only the command itself can be ended, and memory is unknown */
	struct memory_cgroup cgroup;
};

/* Starts the time limit now, before the command starts. */
void limits_begin(struct limits *limits, const struct options *options, pid_t root, struct sampler *sampler);

/* Returns the latest time for the next call of limits_hold (ns since boot). `next_ns`: when the launcher wakes up
 * anyway. 0 means never, for both. */
int64_t limits_wait_until(const struct limits *limits, int64_t next_ns);

/* Ends the run if it exceeds a limit, and kills its remaining processes after the grace period; reports it on stderr.
 * `ticked`: the sampler has just read memory. */
void limits_hold(struct limits *limits, bool ticked);

/* Returns whether processes of a run that exceeded a limit are left after the command's end. Returns false if the run
 * exceeded none. */
bool limits_go_on(struct limits *limits);

/* Passes the result to the sampler, which writes run.json. Call it after the last process has ended. */
void limits_end(struct limits *limits);

#endif
