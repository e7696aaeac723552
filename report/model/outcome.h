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
	OUTCOME_OUT_OF_TIME, /* at --max-seconds, a limit of CPU time, or the scheduler's time limit */
	OUTCOMES
};

/* Returns the outcome of a run. `lacked_memory` means that the run ended for lack of memory, even if its status says
 * something else. */
enum outcome outcome_of(const struct run *run, bool lacked_memory);

/* Returns a short phrase for tables and badges, such as "out of memory". */
const char *outcome_word(enum outcome outcome);
/* Returns the key of an outcome in JSON, such as "out_of_memory". */
const char *outcome_key(enum outcome outcome);
enum outcome outcome_of_key(const char *key); /* returns OUTCOME_UNKNOWN if there is no such key */

/* Describes the end without the duration, such as "killed by signal 9 (Killed)". Callers append outcome_preposition
 * and the duration. */
void outcome_describe(enum outcome outcome, const struct run *run, char *text, size_t size);
const char *outcome_preposition(enum outcome outcome);

/* Formats a text to print after the duration of the root: "; its processes went on until 11 min 50 s" or "; 2
 * processes go on", or "" if all processes ended with the root. If runs of the group were retried, their number follows
 * (run->retries). `living` is the number of processes that are still running. */
void outcome_describe_rest(
	const struct run *run, double end_seconds, double wall_seconds, double living, char *text, size_t size);

/* Formats a text to print after the duration: "; no row for 7 s" if sampling has stalled, or "". */
void outcome_describe_silence(const struct run *run, char *text, size_t size);

/* The memory available to a run: the smaller one of --max-memory and the limit of its control group. If there is no
 * such limit, the requested memory, or else the machine's memory. */
struct memory_limit {
	double mib;     /* MiB, or UNKNOWN */
	bool own;       /* the job is ended when it reaches the limit */
	bool of_group;  /* true if the limit is that of the control group */
	bool requested; /* requested memory, which may not be enforced */
	bool each;      /* limit for one process; all processes together may use more */
};

struct memory_limit memory_limit_of(const struct run *run, const struct series *system);

/* Formats a text to print after a peak: "of its limit of 400 MiB", "of 400 MiB requested", "of 23.5 GiB" or "at 400 MiB
 * a process", or "" if the limit is unknown. A peak above the control group's limit includes pages charged to other
 * groups: "at its limit of 400 MiB, with 5 MiB charged to others". */
void memory_limit_describe(const struct memory_limit *limit, double peak_mib, char *text, size_t size);

/* Returns true if the limit is that of a control group and the peak is above it. */
bool memory_limit_has_others(const struct memory_limit *limit, double peak_mib);

/* Returns the memory of which the run's peak is printed as a percentage, or UNKNOWN if the limit is per process. */
double memory_limit_whole(const struct memory_limit *limit);

/* Returns {"outcome", "text", "memory_limit_mib"}. The caller owns the object. */
cJSON *outcome_json(enum outcome outcome, const struct run *run, const struct memory_limit *limit);

#endif
