/* The parts of a run that the job itself named, such as "training", and what the job used in each.
 *
 * A part begins with a mark "begin NAME" and ends with the mark "end NAME" of the same process; integrations/python and
 * integrations/R make such pairs. A part without an end lasts until its process ended, or else the run. A part that was
 * there several times, in one process or in many, is one: what the job used while any process was in it. Therefore
 * nothing counts twice. Figures are those of process.csv; of a row that a mark divides, counters are divided by time.
 */
#ifndef RTRACK_REPORT_MODEL_PARTS_H
#define RTRACK_REPORT_MODEL_PARTS_H

#include "report/say/json.h"
#include "report/spool/processes.h"
#include "report/spool/run.h"
#include "report/spool/series.h"

enum { PARTS_MAX = 100 }; /* names; of more, the first are kept */

/* A stretch of time, in seconds since 1970. */
struct part_time {
	double start, stop;
	double pid;
	bool open; /* its end is not marked */
};

/* Figures are UNKNOWN where they were not measured. */
struct part {
	char *name; /* as in the file: a text of the job */
	double start, stop;
	double times;   /* how often it began */
	double seconds; /* in which at least one process was in it */
	double cpu_seconds, mean_cpu, peak_memory_mib;
	double read_bytes, write_bytes;
	double divided_seconds, divided_bytes; /* of the rows that a mark divides, as a whole */
	bool exact; /* these are at most 10 ms of CPU time and 64 KiB, and 1 % of the part's */
	bool ended; /* every begin has its end */

	struct part_time *stretches; /* owned; while it is made one for each begin, then without overlap */
	size_t count, capacity;
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

/* Reads mark.csv of the run. A missing file has no parts; one that cannot be read has none either, after a message.
 * Returns 0, or -1 with errno when there is no memory. */
int parts_make(
	struct parts *parts, const struct run *run, const struct series *process, const struct processes *processes);
void parts_free(struct parts *parts);

/* What is to be said behind its name, with a space before it; or "". */
const char *parts_remark(const struct part *part);

/* "parts" of an object. */
void parts_write_json(const struct parts *parts, cJSON *object);

#endif
