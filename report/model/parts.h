/* SPDX-License-Identifier: Apache-2.0 */
/* The parts of a run that the job named itself, such as "training", and what the job used in each.
 *
 * A part begins with the mark "begin NAME" and ends with the mark "end NAME" of the same process; integrations/python
 * and integrations/R set such pairs. Without an end mark, a part lasts until its process or the run ended. Repeated or
 * concurrent occurrences of a name are one part: it covers all times at which any process was in it, so nothing counts
 * twice.
 *
 * Each mark records what its process and the children that it reaped had used by then. If no other process was alive
 * during the part, the difference is the part's usage. Otherwise the figures come from process.csv. The CPU time of a
 * row that a mark divides is split by time; its bytes are not split. If the process's peak rose during the part, the
 * kernel's peak is the part's. If it did not, the peak lies between the largest tick of the part and the kernel's
 * peak. */
#ifndef RTRACK_REPORT_MODEL_PARTS_H
#define RTRACK_REPORT_MODEL_PARTS_H

#include "report/model/code.h"
#include "report/say/json.h"
#include "report/spool/processes.h"
#include "report/spool/run.h"
#include "report/spool/series.h"

enum { PARTS_MAX = 100 }; /* further names are dropped */

/* What a mark records of its process; UNKNOWN in runs of old versions. */
struct part_account {
	double peak_mib, cpu_seconds, read_bytes, write_bytes;
};

/* A time interval, in seconds since 1970. */
struct part_time {
	double start, stop;
	double pid;
	struct part_account begin, end;
	bool open; /* the stretch has no end mark */
};

/* Figures are UNKNOWN if they were not measured. */
struct part {
	char *name; /* name as the job wrote it */
	double start, stop;
	double times;   /* number of begin marks */
	double seconds; /* time during which at least one process was in the part */
	double cpu_seconds, mean_cpu, read_bytes, write_bytes;
	double peak_memory_mib, peak_most_mib; /* bounds of the peak */
	double divided_seconds, divided_bytes; /* usage in rows that a mark divides, counting whole rows */
	bool exact_use;  /* the divided usage is at most 10 ms of CPU time and 64 KiB, plus 1 % of the part's */
	bool exact_peak; /* the peak is the kernel's, or its bounds agree by exact_is_bounded */
	bool ended;      /* each begin mark has an end mark */

	/* owned; one per begin mark while they are collected, then merged without overlap */
	struct part_time *stretches;
	size_t count;

	struct code_list lines; /* code lines, set by parts_find_lines */
};

struct parts {
	size_t count;
	struct part items[PARTS_MAX]; /* in order of their first begin */
};

/* Classifies a mark by its label; for a begin or end mark, *name is the name of the part. */
enum part_end { PART_END_NONE, PART_END_BEGIN, PART_END_END };
enum part_end parts_end_of(struct text label, struct text *name);

/* Columns of process.csv that parts_make needs, as a mask for series_load. */
uint64_t parts_columns(void);

struct reader;
/* Callback for marks_load: adds a mark to the struct parts. */
void parts_take(void *parts, double time, struct reader *reader);
/* Computes the figures after all marks have been added. `most_mib` is the upper bound of the run's peak. */
void parts_make(struct parts *parts, const struct run *run, const struct series *process,
	const struct processes *processes, double most_mib);
/* Fills the code lines at which programs were during each part. */
void parts_find_lines(struct parts *parts, const struct code *code);
void parts_free(struct parts *parts);

enum { PARTS_REMARK_SIZE = 64 };
/* Remark to print after a part's name, with a leading space, or "". Returns `text`. */
const char *parts_remark(const struct part *part, char text[PARTS_REMARK_SIZE]);

/* Adds "parts" to `object`. */
void parts_write_json(const struct parts *parts, cJSON *object);

#endif
