/* --max-memory and --max-seconds: what the launcher holds the command and all that it started to.
 *
 * At a limit every process of the run gets SIGTERM, and after a grace SIGKILL, which comes again until none is left;
 * so does what they start meanwhile. The launcher's exit status is then LIMITS_STATUS. Limits hold while the launcher
 * runs: daemons that outlive the command are not looked after. */
#ifndef RTRACK_LAUNCHER_LIMITS_H
#define RTRACK_LAUNCHER_LIMITS_H

#include "launcher/cage.h"
#include "launcher/options.h"
#include "sampler/sampler.h"

enum { LIMITS_STATUS = 124 /* as that of timeout(1) */ };

enum limit { LIMIT_NONE, LIMIT_MEMORY, LIMIT_SECONDS };

struct limits {
	double memory_mib; /* UNKNOWN: none, as of the seconds */
	double seconds;
	enum limit reached;
	int64_t next_ns;         /* since boot: of the end of the time, then of SIGKILL; 0: nothing is to come */
	int64_t give_up_ns;      /* when those that even SIGKILL does not end are left alone */
	pid_t root;              /* the command */
	struct sampler *sampler; /* NULL: only the command itself can be ended, and memory is unknown */
	struct cage cage;
};

/* Begins with the time now, before the command does. */
void limits_begin(struct limits *limits, const struct options *options, pid_t root, struct sampler *sampler);

/* When limits_hold has to be called at the latest (ns since boot); `next_ns` is when the launcher wakes anyway, as the
 * result 0: never. */
int64_t limits_wait_until(const struct limits *limits, int64_t next_ns);

/* Ends the run if it is over a limit, and those that are left of it after the grace; says so on stderr. `ticked`: the
 * sampler has just looked at memory. */
void limits_hold(struct limits *limits, bool ticked);

/* After the command's end: whether processes of a run that was over a limit are left. Never, if it was not. */
bool limits_go_on(struct limits *limits);

/* After the last: tells the sampler, which writes run.json. */
void limits_end(struct limits *limits);

#endif
