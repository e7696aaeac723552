/* SPDX-License-Identifier: Apache-2.0 */
/* --max-memory and --max-seconds: limits for the command and all its descendants.
 *
 * If a limit is exceeded, all processes of the run get SIGTERM. After a grace period, they get SIGKILL until none is
 * left. The exit status of rtrack-run is LIMITS_STATUS in this case. Daemons that outlive the command are not
 * limited, because rtrack-run has ended. */
#ifndef RTRACK_LAUNCHER_LIMITS_H
#define RTRACK_LAUNCHER_LIMITS_H

#include "launcher/memory_cgroup.h"
#include "launcher/options.h"
#include "sampler/sampler.h"

enum { LIMITS_STATUS = 124 /* the exit status of timeout(1) */ };

enum limit { LIMIT_NONE, LIMIT_MEMORY, LIMIT_SECONDS };

struct limits {
	double memory_mib; /* UNKNOWN if memory is not limited */
	double seconds;    /* UNKNOWN if time is not limited */
	enum limit reached;
	/* time since boot of the time limit or, once a limit is exceeded, of the next SIGKILL; 0 if none */
	int64_t next_ns;
	int64_t give_up_ns; /* time since boot after which processes that survive SIGKILL are ignored */
	pid_t root;         /* pid of the command */
	/* Sampler of the run, or NULL. Without a sampler, memory is unknown and only the command itself can be
	 * ended. */
	struct sampler *sampler;
	struct memory_cgroup cgroup;
};

/* Starts the time limit. Call it before the command starts. */
void limits_begin(struct limits *limits, const struct options *options, pid_t root, struct sampler *sampler);

/* Returns the time since boot at which rtrack-run must wake up to call limits_hold, or `next_ns` if that is earlier.
 * `next_ns` is the time at which rtrack-run wakes up for another reason. For both times, 0 means never. */
int64_t limits_wait_until(const struct limits *limits, int64_t next_ns);

/* Ends the run if it exceeds a limit, and reports that on stderr. After the grace period, kills the remaining
 * processes. `ticked`: the sampler has just read memory. */
void limits_hold(struct limits *limits, bool ticked);

/* Called after the command's end. Returns whether the run has exceeded a limit and still has processes. */
bool limits_go_on(struct limits *limits);

/* Informs the sampler which limit was exceeded, so that the sampler writes it to run.json. Call it after the last
 * process has ended. */
void limits_end(struct limits *limits);

#endif
