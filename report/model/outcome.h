/* SPDX-License-Identifier: Apache-2.0 */
/* How a run ended, with the same wording in show, list, watch, JSON and the page. */
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
	OUTCOME_OUT_OF_TIME, /* at --max-seconds */
	OUTCOMES
};

/* `lacked_memory`: the run ended for lack of memory, whatever its status. */
enum outcome outcome_of(const struct run *run, bool lacked_memory);

/* A short phrase for a table or a badge, such as "out of memory". */
const char *outcome_word(enum outcome outcome);
/* The key in JSON, such as "out_of_memory". */
const char *outcome_key(enum outcome outcome);
enum outcome outcome_of_key(const char *key); /* OUTCOME_UNKNOWN if there is no such key */

/* Describes the end without the duration: "killed by signal 9 (Killed)". Callers append outcome_preposition and the
 * duration. */
void outcome_describe(enum outcome outcome, const struct run *run, char *text, size_t size);
const char *outcome_preposition(enum outcome outcome);

/* Formats "; its processes went on until 11 min 50 s" or "; 2 processes go on", to follow the root's duration; "" if
 * all processes ended with the root. `living` is the number of processes that are still running. */
void outcome_describe_rest(double end_seconds, double wall_seconds, double living, char *text, size_t size);

/* Formats "; no row for 7 s", to follow the duration of a run whose sampling has stalled; else "". */
void outcome_describe_silence(const struct run *run, char *text, size_t size);

/* The memory available to the run: the smaller of --max-memory and its control group's limit, else the requested
 * memory, else the machine's memory. Needs cgroup_memory_limit_mib of system.csv. */
struct memory_limit {
	double mib;     /* MiB, or UNKNOWN */
	bool own;       /* a limit that ends the job */
	bool of_group;  /* the limit is the control group's */
	bool requested; /* requested memory, which may not be enforced */
	bool each;      /* limit for one process; all processes together may exceed it */
};

struct memory_limit memory_limit_of(const struct run *run, const struct series *system);

/* Formats "of its 400 MiB limit", "of 400 MiB requested", "of 23.5 GiB" or "at 400 MiB a process", to follow a peak; ""
 * if unknown. A peak above the control group's limit includes pages charged to other groups: "at its limit of 400 MiB,
 * with 5 MiB charged to others". */
void memory_limit_describe(const struct memory_limit *limit, double peak_mib, char *text, size_t size);

/* Whether a peak is above the limit of a control group. */
bool memory_limit_has_others(const struct memory_limit *limit, double peak_mib);

/* The memory of which the run's peak is shown as a share, or UNKNOWN. */
double memory_limit_whole(const struct memory_limit *limit);

/* Returns {"outcome", "text", "memory_limit_mib"}, owned by the caller. */
cJSON *outcome_json(enum outcome outcome, const struct run *run, const struct memory_limit *limit);

#endif
