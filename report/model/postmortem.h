/* SPDX-License-Identifier: Apache-2.0 */
/* Explains why a run ended for lack of memory: which limit it met, when, which process was killed, and which processes
 * held the most memory and grew in the minute before. */
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
	double held_mib;  /* memory at the end: the last sample, or the peak if the process was killed then */
	double grown_mib; /* growth within `seconds` before the end; UNKNOWN if only one sample is known */
	double seconds;
};

struct postmortem {
	bool found;    /* false if the run ended otherwise; then only `outlived` may be set */
	bool outlived; /* the kernel killed a process, but the run went on: limit, time and victim are set */
	bool counted;
	enum postmortem_limit limit;
	double limit_mib;             /* size of the limit, or UNKNOWN */
	double time;                  /* time of the kill since the epoch, or UNKNOWN */
	const struct process *victim; /* the killed or failed process, or NULL if unknown */
	/* memory counted by the limit, if the victim failed at it instead of being killed; else UNKNOWN */
	double used_mib;
	size_t count;
	struct postmortem_holder holders[POSTMORTEM_HOLDERS]; /* sorted by memory, descending */
};

/* Reads member.csv. */
void postmortem_make(struct postmortem *postmortem, const struct run *run, struct processes *processes,
	const struct kills *kills, const struct ulimit *ulimit, const struct shortage *shortage);

/* The limit against which the run's peak is judged: memory_limit_of, or the limit of a single process if the run ended
 * at that. */
struct memory_limit postmortem_memory_limit(
	const struct postmortem *postmortem, const struct run *run, const struct series *system, double peak_mib);

/* A phrase such as "the limit of its control group", to precede the size. */
const char *postmortem_limit_words(enum postmortem_limit limit);

/* Formats the victim of a run that went on: "gcc (process 12), for lack of memory at 512 MiB". */
void postmortem_describe_outlived(const struct postmortem *postmortem, char *text, size_t size);

/* Returns that victim as {"limit_mib", "time", "victim"}, owned by the caller. */
cJSON *postmortem_outlived_json(const struct postmortem *postmortem);

/* Returns {"limit", "limit_mib", "used_mib", "time", "victim", "holders", "ask_memory_mib"}, or null if memory was
 * sufficient. `ask_mib` is the recommended request, or UNKNOWN. The caller owns the result. */
cJSON *postmortem_json(const struct postmortem *postmortem, double ask_mib);

#endif
