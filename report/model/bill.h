/* SPDX-License-Identifier: Apache-2.0 */
/* The bill of a run: which program or process used what of its totals, the largest share first.
 *
 * The totals hold more than the records of processes do: short children that only their parent's account tells of, and
 * time after a process had written its record. That difference is a row of its own, so that the rows sum to the totals.
 * Where the records hold more than the totals, the row is negative. */
#ifndef RTRACK_REPORT_MODEL_BILL_H
#define RTRACK_REPORT_MODEL_BILL_H

#include "report/model/label.h"
#include "report/model/totals.h"
#include "report/say/json.h"

struct bill_row {
	const char *program; /* the base name of the executable; or, in parentheses, what the row is */
	const char
		*command; /* of a program the words that all its command lines begin with, the first without its path */
	const struct process *process; /* NULL: the row is not of one process */
	bool differs;                  /* the command lines of its processes differ after `command` */
	double processes;
	double cpu_seconds;
	double peak_memory_mib; /* of the largest process */
	double read_bytes;
	double write_bytes;
	double gpu_seconds;   /* UNKNOWN, as the next, unless member.csv was read and says so */
	double peak_vram_mib; /* of the process that held the most */
	size_t group;         /* position when sorted by name; only for making `row_of` */
};

struct bill {
	struct bill_row *rows; /* by CPU time, the most first; the difference is last */
	size_t count;
	struct bill_row all; /* their sum; its peak is that of the largest process */
	bool has_difference; /* the last row is the difference */
	size_t programs;     /* the first rows, which own their texts; 0 of rows by process */
	size_t *row_of;      /* by program: the row of each process, by its position in `processes`; owned */
};

/* A program's processes, such as the thousand compilations of a build, are one row. The texts last as long as
 * `processes`. */
void bill_by_command(struct bill *bill, const struct processes *processes, const struct totals *totals);
void bill_by_process(struct bill *bill, const struct processes *processes, const struct totals *totals);
/* The difference, if a reader would see more of it than "0 ms" or miss its per cent; NULL: none. JSON has all of it. */
const struct bill_row *bill_difference(const struct bill *bill);

/* The name of a row for a person. */
struct label bill_label(const struct bill_row *row);

void bill_free(struct bill *bill);

/* The sum of the rows from `first` to before `end`. */
struct bill_row bill_sum(const struct bill *bill, size_t first, size_t end);

/* An array of objects. The caller owns it. */
cJSON *bill_json(const struct bill *bill);

#endif
