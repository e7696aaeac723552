/* SPDX-License-Identifier: Apache-2.0 */
/* The phases of a run, such as loading and then training: periods between lasting changes of CPU, memory or GPU use.
 *
 * segments_find locates the changes in means over several ticks; the figures of each phase then come from every tick. A
 * run without clear changes, or with constant changes, has no phases. The number of processes counts as usage, so a
 * phase begins when a pool of workers starts. If the job set a few marks, phases begin at them too. */
#ifndef RTRACK_REPORT_MODEL_PHASES_H
#define RTRACK_REPORT_MODEL_PHASES_H

#include "report/say/json.h"
#include "report/spool/marks.h"
#include "report/spool/run.h"
#include "report/spool/series.h"

enum {
	SEGMENTS_MAX = 5,      /* a series with more segments has no phases */
	SEGMENT_LEAST = 5,     /* shortest segment, in values */
	SEGMENT_FRACTION = 20, /* a segment also has at least 1/20 of all values; anything shorter is a spike */
	SEGMENTS_SERIES_MAX = 4,
	SEGMENTS_FIGURES_MAX = 1000 /* values per series; time grows with the square, up to a few milliseconds */
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

/* Columns of process.csv that phases_find needs, as a mask for series_load. */
uint64_t phases_columns(void);

/* `start` is the start of the run or UNKNOWN, `interval` the tick interval. `marks` may be NULL; more than
 * PHASE_MARKS_MAX marks are ignored. */
enum { PHASE_MARKS_MAX = SEGMENTS_MAX - 1 };
void phases_find(
	struct phases *phases, const struct series *process, const struct marks *marks, double start, double interval);

/* A whole run with rows as one phase. */
struct phase phases_whole(const struct series *process, const struct run *run);

/* -- in words -------------------------------------------------------------------------------------- */

/* Formats the changes at each phase but the first: "at 11 min CPUs 1 to 5.6, memory 400 MiB to 2.6 GiB; at 51 min …".
 * With `terse`, only the first change of each phase. */
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
	const double *values; /* evenly spaced; UNKNOWN repeats the value before it */
	double least;         /* smaller differences are ignored */
};

/* Stores in ends[] the end position of each segment, the last one being `count`. Returns the number of segments: 1 if
 * there is no clear change or there would be more than SEGMENTS_MAX, 0 for an empty series. */
size_t segments_find(const struct level *levels, size_t series, size_t count, size_t ends[SEGMENTS_MAX]);

#endif
