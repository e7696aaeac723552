/* SPDX-License-Identifier: Apache-2.0 */
/* The phases of a run, such as loading, then training: where what the job uses of CPUs, memory and GPUs changes for
 * good.
 *
 * report/model/segments.h finds them in means over several ticks; the figures of each phase are then taken from every
 * tick. A run has none if its usage does not change clearly, or changes all the time. How many processes there are
 * counts as usage, so that a phase begins where a pool of workers does. Where the job itself marked a few moments,
 * phases begin there as well. */
#ifndef RTRACK_REPORT_MODEL_PHASES_H
#define RTRACK_REPORT_MODEL_PHASES_H

#include "report/model/segments.h"
#include "report/say/json.h"
#include "report/spool/marks.h"
#include "report/spool/run.h"
#include "report/spool/series.h"

/* Figures are those of process.csv between two times; UNKNOWN: not measured. */
struct phase {
	double start, stop; /* seconds since 1970 */
	double cpu_seconds, mean_cpu, peak_cpu;
	double mean_memory_mib, peak_memory_mib;
	double read_bytes, write_bytes;
	double mean_gpu, peak_gpu, peak_vram_mib;
	double mean_members; /* processes */
	bool marked;         /* it begins where the job marked it */
};

struct phases {
	size_t count; /* 0, or at least 2 */
	struct phase items[SEGMENTS_MAX];
};

/* The columns of process.csv that phases_find needs, as a mask for series_load. */
uint64_t phases_columns(void);

/* `start`: of the run, or UNKNOWN; `interval`: of its ticks. `marks`: NULL, or what the job marked; more than
 * PHASE_MARKS_MAX begin no phases. */
enum { PHASE_MARKS_MAX = SEGMENTS_MAX - 1 };
void phases_find(
	struct phases *phases, const struct series *process, const struct marks *marks, double start, double interval);

/* A run with rows as one phase. */
struct phase phases_whole(const struct series *process, const struct run *run);

/* -- in words -------------------------------------------------------------------------------------- */

/* What changed with each phase but the first: "at 11 min CPUs 1 to 5.6, memory 400 MiB to 2.6 GiB; at 51 min …"; if
 * `terse`, of each only the first of these. */
void phases_describe(const struct phases *phases, bool terse, char *text, size_t size);

/* -- JSON ------------------------------------------------------------------------------------------ */

/* "phases" of an object. */
void phases_write_json(const struct phases *phases, cJSON *object);

#endif
