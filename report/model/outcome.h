/* SPDX-License-Identifier: Apache-2.0 */
/* How a run ended, in the same words in show, list, watch, JSON and the page. */
#ifndef RTRACK_REPORT_MODEL_OUTCOME_H
#define RTRACK_REPORT_MODEL_OUTCOME_H

#include "report/spool/run.h"
#include "report/spool/series.h"

enum outcome {
	OUTCOME_UNKNOWN,
	OUTCOME_RUNNING,
	OUTCOME_FINISHED,
	OUTCOME_FAILED,
	OUTCOME_KILLED,
	OUTCOME_INTERRUPTED,
	OUTCOME_OUT_OF_MEMORY,
	OUTCOME_OUT_OF_TIME, /* by --max-seconds */
	OUTCOMES
};

/* `lacked_memory`: the run died of the lack of memory, whatever its status is. */
enum outcome outcome_of(const struct run *run, bool lacked_memory);

/* A word or three, for a table or a badge: "out of memory". */
const char *outcome_word(enum outcome outcome);
/* As a key of JSON: "out_of_memory". */
const char *outcome_key(enum outcome outcome);
enum outcome outcome_of_key(const char *key); /* OUTCOME_UNKNOWN: there is no such key */

/* What happened, without the duration: "killed by signal 9 (Killed)". Behind it goes outcome_preposition and the
 * duration. */
void outcome_describe(enum outcome outcome, const struct run *run, char *text, size_t size);
const char *outcome_preposition(enum outcome outcome);

/* "; its processes went on until 11 min 50 s" or "; 2 processes go on", to stand behind the duration of the root; ""
 * where all ended with it. `living`: how many go on. */
void outcome_describe_rest(double end_seconds, double wall_seconds, double living, char *text, size_t size);

/* "; no row for 7 s", to stand behind the duration of a run that stands still; "" for others. */
void outcome_describe_silence(const struct run *run, char *text, size_t size);

/* The memory that the run could have: the least of its --max-memory and the limit of its control group, else what was
 * asked for, else the machine's. Needs cgroup_memory_limit_mib of system.csv. */
struct memory_limit {
	double mib;     /* or UNKNOWN */
	bool own;       /* a limit that ends the job */
	bool of_group;  /* … that of the control group */
	bool requested; /* what was asked for, which may not have been enforced */
	bool each;      /* what one process may have, where all of them together had more */
};

struct memory_limit memory_limit_of(const struct run *run, const struct series *system);

/* "of its 400 MiB limit", "of 400 MiB asked for", "of 23.5 GiB", "at 400 MiB a process", to stand behind a peak; ""
 * where it is unknown. A peak above the limit of a control group has pages that others are charged for: "at its limit
 * of 400 MiB, with 5 MiB charged to others". */
void memory_limit_describe(const struct memory_limit *limit, double peak_mib, char *text, size_t size);

/* Whether a peak is above the limit of a control group. */
bool memory_limit_has_others(const struct memory_limit *limit, double peak_mib);

/* What the run's peak is a share of; UNKNOWN where it is of nothing. */
double memory_limit_whole(const struct memory_limit *limit);

/* {"outcome", "text", "memory_limit_mib"}. The caller owns it. */
cJSON *outcome_json(enum outcome outcome, const struct run *run, const struct memory_limit *limit);

#endif
