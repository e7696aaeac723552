/* SPDX-License-Identifier: Apache-2.0 */
/* Explains why a run ran out of memory: which limit it reached, when, which process was killed, which
 * processes held the most memory, and how much they had grown in the last minute. */
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
	/* Memory at the end, from the last sample. For the victim: its peak, or the limit minus the memory of the rest
	 * of the control group at the last tick, or UNKNOWN if the victim must have grown after the last tick. */
	double held_mib;
	double grown_mib; /* growth in the last `seconds`; UNKNOWN if there is only one sample */
	double seconds;
};

struct postmortem {
	bool found; /* the run ran out of memory */
	/* the kernel killed a process, but the run continued; limit_mib, time and victim are set */
	bool outlived;
	bool counted;
	enum postmortem_limit limit;
	double limit_mib;             /* size of the limit, or UNKNOWN */
	double time;                  /* time of the kill in seconds since 1970, or UNKNOWN */
	const struct process *victim; /* the killed or failed process, or NULL if unknown */
	/* The memory of the victim that counts against its own limit (ulimit). UNKNOWN if the victim was killed. */
	double used_mib;
	size_t count;
	struct postmortem_holder holders[POSTMORTEM_HOLDERS]; /* sorted by memory, descending */
};

/* Reads member.csv. */
void postmortem_make(struct postmortem *postmortem, const struct run *run, struct processes *processes,
	const struct kills *kills, const struct ulimit *ulimit, const struct shortage *shortage);

/* Returns the limit to which reports compare the run's peak. This is memory_limit_of, unless the run ended at a
 * smaller limit of a single process. */
struct memory_limit postmortem_memory_limit(
	const struct postmortem *postmortem, const struct run *run, const struct series *system, double peak_mib);

/* Returns a phrase to print before the size of a limit, such as "the limit of its control group". */
const char *postmortem_limit_words(enum postmortem_limit limit);

/* Formats the process that the kernel killed although the run continued: "gcc (process 12), out of memory at
 * 512 MiB". */
void postmortem_describe_outlived(const struct postmortem *postmortem, char *text, size_t size);

/* Returns {"limit_mib", "time", "victim"} for a run that continued after a kill. The caller owns the object. */
cJSON *postmortem_outlived_json(const struct postmortem *postmortem);

/* Returns {"limit", "limit_mib", "used_mib", "time", "victim", "holders", "ask_memory_mib"}, or null if the run did
 * not run out of memory. `ask_mib` is the recommended request, or UNKNOWN. The caller owns the result. */
cJSON *postmortem_json(const struct postmortem *postmortem, double ask_mib);

#endif
