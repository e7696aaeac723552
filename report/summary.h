/* What every command reads of a run: its tables, its processes and its totals. */
#ifndef RTRACK_REPORT_SUMMARY_H
#define RTRACK_REPORT_SUMMARY_H

#include "report/processes.h"
#include "report/totals.h"

struct summary {
	struct series process;
	struct series system;
	struct processes processes;
	struct totals totals;
	bool usable; /* something says what the job used; false with nothing but a run.json, or less */
};

/* Reads the columns of the masks and those that the totals need. Returns 0; or -1 after a message. */
int summary_read(struct summary *summary, const struct run *run, uint64_t process_columns, uint64_t system_columns);
void summary_free(struct summary *summary);

/* The JSON that `stats` prints: run, stats, totals, history. NULL after a message. The caller owns it. */
cJSON *summary_json(const struct summary *summary, const struct run *run, size_t history_runs);

/* Prints a JSON value and a line's end, and frees it. Returns the exit status. */
int summary_print_json(cJSON *json);

/* EXIT_DONE if it is usable, else EXIT_NO_DATA after a message. */
int summary_exit_status(const struct summary *summary, const struct run *run);

#endif
