/* SPDX-License-Identifier: Apache-2.0 */
/* The parts of a run that the job marked, such as "training", and what the job used in each part.
 *
 * A part begins at the mark "begin NAME" and ends at the mark "end NAME" of the same process. Without an end mark, it
 * lasts until its process or the run ends. If a name is used several times, the part covers all times at which any
 * process was in it, so nothing is counted twice.
 *
 * Each mark records what its process and the reaped children of the process have used so far. If no other process was
 * alive during the part, the usage of the part is the difference between its marks. Otherwise it is the sum of the rows
 * of process.csv. If a mark lies within the interval of a row, the CPU time of the row is divided in proportion to
 * time, but its bytes cannot be divided.
 *
 * If the peak of the process rose during the part, the peak of the part is the kernel's peak. Otherwise it lies
 * between the largest tick of the part and the kernel's peak. */
#ifndef RTRACK_REPORT_MODEL_PARTS_H
#define RTRACK_REPORT_MODEL_PARTS_H

#include "report/model/code.h"
#include "report/model/total.h"
#include "report/say/json.h"
#include "report/spool/processes.h"
#include "report/spool/run.h"
#include "report/spool/series.h"

enum { PARTS_MAX = 100 }; /* parts with further names are ignored */

/* What a process had used when it set a mark. UNKNOWN if an old version recorded the run. */
struct part_account {
	double peak_mib, cpu_seconds, read_bytes, write_bytes;
};

/* A stretch of a part: the time from a begin mark to an end mark, in seconds since 1970. */
struct part_time {
	double start, stop;
	double pid;
	struct part_account begin, end;
	bool open; /* the stretch has no end mark */
};

/* One part of a run. Figures are UNKNOWN if they were not measured. */
struct part {
	char *name; /* name as the job wrote it */
	double start, stop;
	double times;   /* number of begin marks */
	double seconds; /* time during which at least one process was between its begin and end marks */
	double cpu_seconds, mean_cpu, read_bytes, write_bytes;
	double peak_memory_mib, peak_most_mib; /* bounds of the peak */
	size_t next_row;                       /* row of process.csv after the last one whose bytes were added */
	double divided_seconds, divided_bytes; /* usage in the whole rows within which a mark lies */
	/* divided_seconds is at most 10 ms plus 1 %, and divided_bytes at most 64 KiB plus 1 %, of the part's usage */
	bool exact_use;
	bool exact_peak; /* the bounds of the peak agree (exact_is_bounded) */
	bool ended;      /* each begin mark has an end mark */

	/* At first one stretch for each begin mark; parts_make merges stretches that overlap. Owned. */
	struct part_time *stretches;
	size_t count;

	struct code_list lines; /* code lines, set by parts_find_lines */
};

struct parts {
	size_t count;
	size_t searched;              /* number of stretches that were examined to find begin marks */
	struct part items[PARTS_MAX]; /* sorted by the time of their first begin mark */
};

/* Returns whether the label of a mark begins or ends a part. If so, sets *name to the name of the part. */
enum part_end { PART_END_NONE, PART_END_BEGIN, PART_END_END };
enum part_end parts_end_of(struct text label, struct text *name);

/* Returns the columns of process.csv that parts_make needs, as a mask for series_load. */
uint64_t parts_columns(void);

struct reader;
/* Callback for marks_load. Adds a mark to `parts`, which is a struct parts. */
void parts_take(void *parts, double time, struct reader *reader);
/* Computes the figures after all marks have been added. Unless the run is running, a part ends with its run at the
 * latest, and it has at most the bytes of the run. */
void parts_make(struct parts *parts, const struct run *run, const struct series *process,
	const struct processes *processes, const struct totals *totals);
/* Sets the code lines that programs were executing during each part. */
void parts_find_lines(struct parts *parts, const struct code *code);
void parts_free(struct parts *parts);

enum { PARTS_REMARK_SIZE = 64 };
/* Formats a remark to print after the name of a part, such as " (not ended)", or "". Returns `text`. */
const char *parts_remark(const struct part *part, char text[PARTS_REMARK_SIZE]);

/* Adds "parts" to `object`. */
void parts_write_json(const struct parts *parts, cJSON *object);

#endif
