/* SPDX-License-Identifier: Apache-2.0 */
/* The rows of `list`: a run each, or the runs of one batch job or script together; and the table of --columns. */
#ifndef RTRACK_REPORT_TEXT_LIST_H
#define RTRACK_REPORT_TEXT_LIST_H

#include "report/model/total.h"
#include "report/say/terminal.h"

struct list_row {
	char *id;            /* short */
	const char *name;    /* of its directory, as in struct runs */
	char *job;           /* of several runs "4 runs: sort, awk, +1 job" */
	const char *names;   /* the names in `job`, by which rows are sorted */
	char *status;        /* of several runs "2 failed, 1 killed" */
	const char *outcome; /* a key of JSON */
	char *script;        /* that started the run, or "" */
	char *whole;         /* the batch job or script that the run is part of, or "" */
	double script_time;
	double start;
	struct totals totals;
	bool died;     /* a process of it ran out of memory */
	bool is_bound; /* its peak memory is an upper bound */
	size_t runs;   /* how many runs the row stands for */
};

void list_row_free(struct list_row *row);

/* Joins the runs of each batch job, and of each script, to one row: how many there are, their jobs, and their totals.
 * The peak memory is an upper bound, the sum of the peaks of concurrent runs. The rows come newest first, and a new row
 * takes the place of its newest run; its id is the id of the first run. Returns how many rows are left. */
size_t list_fold(struct list_row *rows, size_t count);

/* "300 MiB", or "≤900 MiB" where it is an upper bound. */
struct figure list_peak(const struct terminal *terminal, const struct list_row *row);

enum { LIST_COLUMNS_MAX = 32 };

struct list_columns {
	size_t count;
	int items[LIST_COLUMNS_MAX];
};

/* Reads "job,status,processes": run, job, start, duration, status, cpu, memory, and each total by its name in JSON.
 * Returns 0, or -1 after a message. */
int list_columns_read(struct list_columns *columns, const char *names);

/* Writes a heading and a line for each row. The job is cut to what the terminal has room for. */
void list_columns_write(
	const struct terminal *terminal, const struct list_columns *columns, const struct list_row *rows, size_t count);

#endif
