/* The lines of `list`: a run each, or the runs of one unit or script together. */
#ifndef RTRACK_REPORT_TEXT_LIST_FOLD_H
#define RTRACK_REPORT_TEXT_LIST_FOLD_H

#include "report/model/total.h"
#include "report/say/terminal.h"

struct list_row {
	char *id;            /* short */
	const char *name;    /* of the run, as it is listed */
	char *job;           /* of several runs "4 runs: sort, awk, +1 job" */
	const char *names;   /* within it: what it is sorted by */
	char *status;        /* of several runs "2 failed, 1 killed" */
	const char *outcome; /* a key of JSON */
	char *script;        /* choice.h; "": none */
	char *whole;         /* what it is a part of: a unit (unit.h), else its script; "": nothing */
	double script_time;
	double start;
	struct totals totals;
	bool died;     /* a process of it, for lack of memory */
	bool is_bound; /* its peak memory is an upper bound */
	size_t runs;   /* that it stands for */
};

void list_row_free(struct list_row *row);

/* Makes one row of the runs of each unit, and of each script, that has several: how many, their jobs, and their totals,
 * with the sum of the peaks of runs of one time as upper bound of the peak of the memory. The rows come newest first,
 * and the new one stands where its newest was; its id is the first run's. Returns how many rows are left, or -1 when
 * there is no memory. */
int64_t list_fold(struct list_row *rows, size_t count);

/* "300 MiB", or "≤900 MiB" where it is an upper bound. */
struct figure list_peak(const struct terminal *terminal, const struct list_row *row);

#endif
