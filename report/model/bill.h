/* SPDX-License-Identifier: Apache-2.0 */
/* Divides a run's totals among its programs or processes.
 *
 * The totals may exceed the sum of the processes' records. For example, the CPU time of a short-lived child may
 * appear only in the getrusage(2) of its parent. The difference is a separate row, so that the rows sum to the
 * totals. The difference is negative if the records exceed the totals. */
#ifndef RTRACK_REPORT_MODEL_BILL_H
#define RTRACK_REPORT_MODEL_BILL_H

#include "report/model/label.h"
#include "report/model/totals.h"
#include "report/say/json.h"

struct bill_row {
	/* base name of the executable, or "(unknown)", "(in no record)" or "(correction)" */
	const char *program;
	/* The command line of the process. For a program with several processes, the words with which all their
	 * command lines begin. The path of the program is removed. */
	const char *command;
	const struct process *process; /* the process, or NULL if the row is not a single process */
	bool differs;                  /* the command lines of the program's processes are not all equal */
	double processes;
	double cpu_seconds;
	double peak_memory_mib; /* peak of the largest process */
	double read_bytes;
	double write_bytes;
	double gpu_seconds;   /* UNKNOWN if member.csv was not read or has no GPU figures */
	double peak_vram_mib; /* peak of the process that used the most GPU memory */
	size_t group;         /* index of the row in the order of names; used only to compute `row_of` */
};

struct bill {
	/* sorted by CPU time, descending, except that the row of the difference is last */
	struct bill_row *rows;
	size_t count;
	struct bill_row all; /* sum of all rows; peak_memory_mib is the peak of the largest process */
	bool has_difference; /* the last row is the difference between the totals and the records */
	size_t programs;     /* number of rows that are programs and own their strings; 0 if rows are processes */
	size_t *row_of;      /* for each process, the index of its row; NULL if rows are processes; owned */
};

/* bill_by_command makes one row for each program, bill_by_process one row for each process. The strings of the rows
 * are valid until `processes` is freed. */
void bill_by_command(struct bill *bill, const struct processes *processes, const struct totals *totals);
void bill_by_process(struct bill *bill, const struct processes *processes, const struct totals *totals);
/* Returns the row of the difference, or NULL if the difference is too small for a table. JSON always contains the
 * row. */
const struct bill_row *bill_difference(const struct bill *bill);

/* Returns the name under which reports show a row. The row with the usage that no record contains is named "other,
 * short-lived", because most of this usage is from processes that ended between two samples. */
struct label bill_label(const struct bill_row *row);

void bill_free(struct bill *bill);

/* Returns the sum of the rows [first, end). */
struct bill_row bill_sum(const struct bill *bill, size_t first, size_t end);

/* Returns an array with one object for each row. The caller owns the array. */
cJSON *bill_json(const struct bill *bill);

#endif
