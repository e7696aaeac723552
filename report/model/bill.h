/* SPDX-License-Identifier: Apache-2.0 */
/* Divides a run's totals among its programs or processes, the largest share first.
 *
 * The totals may exceed the sum of the processes' records. For example, a short-lived child may appear only in the
 * getrusage(2) of its parent, and a process may run on after it has written its record. The difference is a row of its
 * own, so that the rows sum to the totals. It is negative if the records exceed the totals. */
#ifndef RTRACK_REPORT_MODEL_BILL_H
#define RTRACK_REPORT_MODEL_BILL_H

#include "report/model/label.h"
#include "report/model/totals.h"
#include "report/say/json.h"

struct bill_row {
	const char *program; /* base name of the executable, or a description in parentheses */
	/* The command line of a process, or the leading words that a program's command lines share, without a path. */
	const char *command;
	const struct process *process; /* the process of the row, or NULL for any other row */
	bool differs;                  /* the program's command lines differ after `command` */
	double processes;
	double cpu_seconds;
	double peak_memory_mib; /* peak of the largest process */
	double read_bytes;
	double write_bytes;
	double gpu_seconds;   /* GPU figures are UNKNOWN unless member.csv was read and has them */
	double peak_vram_mib; /* peak of the process that used the most GPU memory */
	size_t group;         /* index in the order of names; used only to build `row_of` */
};

struct bill {
	struct bill_row *rows; /* sorted by CPU time, descending; the difference comes last */
	size_t count;
	struct bill_row all; /* sum of all rows; its peak is the largest process's */
	bool has_difference; /* the last row is the difference */
	size_t programs;     /* number of leading rows that own their strings; 0 when rows are processes */
	size_t *row_of;      /* row of each process, indexed like `processes`; only in a bill by program; owned */
};

/* Merges the processes of a program, such as a thousand compilations, into one row. Strings remain valid as long as
 * `processes`. */
void bill_by_command(struct bill *bill, const struct processes *processes, const struct totals *totals);
void bill_by_process(struct bill *bill, const struct processes *processes, const struct totals *totals);
/* Returns the row of the difference, or NULL if it is too small to be shown. JSON always includes it. */
const struct bill_row *bill_difference(const struct bill *bill);

/* The name under which reports show a row. */
struct label bill_label(const struct bill_row *row);

void bill_free(struct bill *bill);

/* Sums the rows from `first` up to, but not including, `end`. */
struct bill_row bill_sum(const struct bill *bill, size_t first, size_t end);

/* Returns an array of objects, owned by the caller. */
cJSON *bill_json(const struct bill *bill);

#endif
