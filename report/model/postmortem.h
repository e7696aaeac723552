/* SPDX-License-Identifier: Apache-2.0 */
/* Of a run that ended for lack of memory: which limit it met, when, which process was killed, and which processes held
 * how much and grew how fast in the minute before. */
#ifndef RTRACK_REPORT_MODEL_POSTMORTEM_H
#define RTRACK_REPORT_MODEL_POSTMORTEM_H

#include "report/model/outcome.h"
#include "report/model/shortage.h"
#include "report/spool/run.h"

enum { POSTMORTEM_HOLDERS = 5, POSTMORTEM_SECONDS = 60 };

enum postmortem_limit {
	POSTMORTEM_OWN,
	POSTMORTEM_ADDRESS_SPACE,
	POSTMORTEM_DATA,
	POSTMORTEM_CGROUP,
	POSTMORTEM_REQUESTED,
	POSTMORTEM_MACHINE,
	POSTMORTEM_LIMITS
};

struct postmortem_holder {
	const struct process *process;
	double held_mib;  /* at the end: as sampled last, or its peak if it was killed then */
	double grown_mib; /* within `seconds` before that; UNKNOWN: only one figure is known */
	double seconds;
};

struct postmortem {
	bool found;    /* false: the run ended otherwise, and nothing else is set, */
	bool outlived; /* … but where it went on without one that the kernel killed: the limit, the time, the victim */
	bool counted;
	enum postmortem_limit limit;
	double limit_mib;             /* UNKNOWN */
	double time;                  /* of the kill, since the epoch; UNKNOWN */
	const struct process *victim; /* NULL: unknown */
	double used_mib;              /* of the limit, by a victim that was not killed but failed; UNKNOWN */
	size_t count;
	struct postmortem_holder holders[POSTMORTEM_HOLDERS]; /* the largest first */
};

/* Reads member.csv. */
void postmortem_make(struct postmortem *postmortem, const struct run *run, struct processes *processes,
	const struct kills *kills, const struct ulimit *ulimit, const struct shortage *shortage);

/* What the run's peak is judged by: memory_limit_of, but where it ended at a limit of one process, that. */
struct memory_limit postmortem_memory_limit(
	const struct postmortem *postmortem, const struct run *run, const struct series *system, double peak_mib);

/* "the limit of its control group" and the like, to go before its size. */
const char *postmortem_limit_words(enum postmortem_limit limit);

/* What the kernel killed of a run that went on, as "gcc (process 12), for lack of memory at 512 MiB". */
void postmortem_describe_outlived(const struct postmortem *postmortem, char *text, size_t size);

/* The same as {"limit_mib", "time", "victim"}. The caller owns it. */
cJSON *postmortem_outlived_json(const struct postmortem *postmortem);

/* {"limit", "limit_mib", "used_mib", "time", "victim", "holders", "ask_memory_mib"}, or null where nothing was found.
 * `ask_mib`: what the next run is told to ask for; UNKNOWN. The caller owns it. */
cJSON *postmortem_json(const struct postmortem *postmortem, double ask_mib);

#endif
