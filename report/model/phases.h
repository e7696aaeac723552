/* SPDX-License-Identifier: Apache-2.0 */
/* The phases of a run, such as loading and then training. A new phase begins when the usage of CPUs, memory or GPUs, or
 * the number of processes, changes for a longer time.
 *
 * segments_find finds the changes in means over several ticks. The figures of each phase are then computed from all
 * its ticks. A run without clear changes, or with too many changes, has no phases. If the job set only a few marks,
 * a phase also begins at each mark. */
#ifndef RTRACK_REPORT_MODEL_PHASES_H
#define RTRACK_REPORT_MODEL_PHASES_H

#include "report/say/json.h"
#include "report/spool/marks.h"
#include "report/spool/run.h"
#include "report/spool/series.h"

enum {
	SEGMENTS_MAX = 5,  /* maximum number of segments; with more changes, a run has no phases */
	SEGMENT_LEAST = 5, /* shortest segment, in values */
	/* a segment must also have at least 1/20 of all values; shorter changes are spikes */
	SEGMENT_FRACTION = 20,
	SEGMENTS_SERIES_MAX = 4,
	/* maximum number of values per series, because the time grows with its square */
	SEGMENTS_FIGURES_MAX = 1000
};

/* Figures of process.csv between two times; UNKNOWN if not measured. */
struct phase {
	double start, stop; /* seconds since 1970 */
	double cpu_seconds, mean_cpu, peak_cpu;
	double mean_memory_mib, peak_memory_mib;
	double read_bytes, write_bytes;
	double mean_gpu, peak_gpu, peak_vram_mib;
	double mean_members; /* mean number of processes */
	bool marked;         /* the phase begins at a mark of the job */
};

struct phases {
	size_t count; /* number of phases: 0, or at least 2 */
	struct phase items[SEGMENTS_MAX];
};

/* Returns the columns of process.csv that phases_find needs, as a mask for series_load. */
uint64_t phases_columns(void);

/* Finds the phases of a run. `start` is the start of the run or UNKNOWN, and `interval` is the time between ticks.
 * `marks` may be NULL. If there are more than PHASE_MARKS_MAX marks, all marks are ignored. */
enum { PHASE_MARKS_MAX = SEGMENTS_MAX - 1 };
void phases_find(
	struct phases *phases, const struct series *process, const struct marks *marks, double start, double interval);

/* Returns the whole run as one phase. `process` must have rows. */
struct phase phases_whole(const struct series *process, const struct run *run);

/* -- in words -------------------------------------------------------------------------------------- */

/* Formats the changes at each phase but the first: "at 11 min CPUs 1 to 5.6, memory 400 MiB to 2.6 GiB; at 51 min
 * …". If `terse` is true, formats only the first change of each phase. */
void phases_describe(const struct phases *phases, bool terse, char *text, size_t size);

/* -- JSON ------------------------------------------------------------------------------------------ */

/* Adds "phases" to `object`. */
void phases_write_json(const struct phases *phases, cJSON *object);

/* -- segments.c -------------------------------------------------------------------------------------- */

/* Finds lasting changes in the level of a few series, using all of them together.
 *
 * Optimal partitioning (Jackson et al., "An algorithm for optimal partitioning of data on an interval", 2005; PELT of
 * Killick, Fearnhead and Eckley, 2012, is a faster variant for longer series) with the cost of a change in the
 * mean of Gaussian figures and the penalty of Schwarz's criterion (Yao, 1988). Slow fluctuations would count as many
 * changes. Therefore a change must also be clear in one of the series, and the least clear one is removed first:
 *   - the levels on both sides differ by a quarter of the series' highest level, and by its `least`;
 *   - they differ by three times the standard deviation of the figures on either side;
 *   - a step fits the values of both sides better than a straight line does, which excludes ramps. */
struct level {
	const double *values; /* values at equal intervals; UNKNOWN is replaced by the value before it */
	double least;         /* smaller differences are ignored */
};

/* Divides the series into segments and stores the end position of each segment in ends[]; the last one is `count`.
 * Returns the number of segments. This is 1 if there is no clear change or if there are more than SEGMENTS_MAX
 * segments, and 0 if the series is empty. */
size_t segments_find(const struct level *levels, size_t series, size_t count, size_t ends[SEGMENTS_MAX]);

#endif
