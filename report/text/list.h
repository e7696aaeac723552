/* SPDX-License-Identifier: Apache-2.0 */
/* The rows of the command `list`, and the table of its option --columns. A row is a run, or all runs of a batch job or
 * script. */
#ifndef RTRACK_REPORT_TEXT_LIST_H
#define RTRACK_REPORT_TEXT_LIST_H

#include "report/model/total.h"
#include "report/say/terminal.h"
#include "report/spool/files.h"

struct list_row {
	char *id;         /* shortened id of the run, as `list` prints it */
	const char *name; /* name of the run's directory, as in struct runs */
	char *parent;     /* result of nest_parent */
	struct run_identity identity;
	char *job;           /* job, or for several runs "4 runs: sort, awk, +1 job" */
	const char *names;   /* the job names within `job`; rows are sorted by them */
	char *status;        /* status, or for several runs "2 failed, 1 killed" */
	const char *outcome; /* outcome, as in JSON */
	char *script;        /* script that started the run, or "" */
	char *whole;         /* batch job or script that contains the run, or "" */
	char *cluster;       /* result of unit_cluster */
	double script_time;  /* start of `whole`, -INFINITY if it is unknown, or UNKNOWN if there is no script */
	double start;
	double asked_mib; /* requested memory, or UNKNOWN */
	struct totals totals;
	bool died;     /* a process of the run ran out of memory */
	bool is_bound; /* the row's peak memory is an upper bound */
	size_t runs;   /* number of runs in the row */
	bool within;   /* another run of the merged row includes the figures of this run */
};

void list_row_free(struct list_row *row);

/* Merges the runs of each batch job, and of each script, into one row with their number, jobs and totals. The peak
 * memory of a merged row is an upper bound: the sum of the peaks of concurrent runs. Rows must be sorted newest first.
 * A merged row has the position of its newest run, and the id of its first run. Returns the number of rows left. */
size_t list_fold(struct list_row *rows, size_t count);

/* Formats the peak memory of a row as "300 MiB", or as "≤900 MiB" if it is an upper bound. */
struct figure list_peak(const struct terminal *terminal, const struct list_row *row);

enum { LIST_COLUMNS_MAX = 32 };

struct list_columns {
	size_t count;
	int items[LIST_COLUMNS_MAX];
};

/* Parses a list of columns such as "job,status,processes". Valid names are run, job, start, duration, status, cpu,
 * memory, and the JSON name of each total. Returns 0, or -1 after a message. */
int list_columns_read(struct list_columns *columns, const char *names);

/* Writes a heading, and a line for each row. The job is truncated to the available width. */
void list_columns_write(
	const struct terminal *terminal, const struct list_columns *columns, const struct list_row *rows, size_t count);

#endif
