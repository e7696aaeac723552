/* SPDX-License-Identifier: Apache-2.0 */
/* The parts of a run that the job itself named, such as "training", and what the job used in each.
 *
 * A part begins with a mark "begin NAME" and ends with the mark "end NAME" of the same process; integrations/python and
 * integrations/R make such pairs. A part without an end lasts until its process ended, or else the run. A part that was
 * there several times, in one process or in many, is one: what the job used while any process was in it. Therefore
 * nothing counts twice.
 *
 * Each mark tells what its process, and the children that this reaped, had used by then. Where no other process lived
 * in the part, the difference is what was used in it. Else figures are those of process.csv: CPU time of a row that a
 * mark divides is divided by time, and its bytes are not. The peak of a process that grew in the part is the kernel's;
 * where it did not grow, the peak lies between the ticks of the part and the kernel's. */
#ifndef RTRACK_REPORT_MODEL_PARTS_H
#define RTRACK_REPORT_MODEL_PARTS_H

#include "report/model/code.h"
#include "report/say/json.h"
#include "report/spool/processes.h"
#include "report/spool/run.h"
#include "report/spool/series.h"

enum { PARTS_MAX = 100 }; /* names; of more, the first are kept */

/* What a mark tells of its process; UNKNOWN in runs of old. */
struct part_account {
	double peak_mib, cpu_seconds, read_bytes, write_bytes;
};

/* A stretch of time, in seconds since 1970. */
struct part_time {
	double start, stop;
	double pid;
	struct part_account begin, end;
	bool open; /* its end is not marked */
};

/* Figures are UNKNOWN where they were not measured. */
struct part {
	char *name; /* as in the file: a text of the job */
	double start, stop;
	double times;   /* how often it began */
	double seconds; /* in which at least one process was in it */
	double cpu_seconds, mean_cpu, read_bytes, write_bytes;
	double peak_memory_mib, peak_most_mib; /* it lies between these */
	double divided_seconds, divided_bytes; /* of the rows that a mark divides, as a whole */
	bool exact_use;  /* these are at most 10 ms of CPU time and 64 KiB, and 1 % of the part's */
	bool exact_peak; /* the kernel's, or the bounds of the peak are as near to one another as exact.h says */
	bool ended;      /* every begin has its end */

	struct part_time *stretches; /* owned; while it is made one for each begin, then without overlap */
	size_t count;

	struct code_list lines; /* parts_find_lines */
};

struct parts {
	size_t count;
	struct part items[PARTS_MAX]; /* in the order in which they first began */
};

/* Which end of a part a mark with this label is; of a part, its name is in *name. */
enum part_end { PART_END_NONE, PART_END_BEGIN, PART_END_END };
enum part_end parts_end_of(struct text label, struct text *name);

/* The columns of process.csv that parts_make needs, as a mask for series_load. */
uint64_t parts_columns(void);

struct reader;
/* Of marks_load: takes a mark into the struct parts. */
void parts_take(void *parts, double time, struct reader *reader);
/* Makes the figures when all marks are taken. `most_mib`: the upper bound of the run's peak. */
void parts_make(struct parts *parts, const struct run *run, const struct series *process,
	const struct processes *processes, double most_mib);
/* Fills the lines of code at which programs were in each part. */
void parts_find_lines(struct parts *parts, const struct code *code);
void parts_free(struct parts *parts);

enum { PARTS_REMARK_SIZE = 64 };
/* What is to be said behind its name, with a space before it; or "". Returns `text`. */
const char *parts_remark(const struct part *part, char text[PARTS_REMARK_SIZE]);

/* "parts" of an object. */
void parts_write_json(const struct parts *parts, cJSON *object);

#endif
