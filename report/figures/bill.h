/* The bill of a run: who used what of its totals, by program or by process, the largest share first.
 *
 * What the totals hold and no process of the records does is a row of its own, so that the rows sum to the
 * totals: short children of which only the parent's account tells, time after a process had written its record. Where
 * the records hold more than the totals, the sum is brought down by such a row as well. */
#ifndef RTRACK_REPORT_FIGURES_BILL_H
#define RTRACK_REPORT_FIGURES_BILL_H

#include "report/figures/programs.h"
#include "report/figures/totals.h"
#include "report/say/json.h"

struct bill_row {
	const char *program; /* a name, or what the row is in parentheses */
	const char *command;
	const struct process *process; /* NULL: not that of one process */
	bool differs;                  /* command lines go on after `command` */
	double processes;
	double cpu_seconds;
	double peak_memory_mib; /* of the largest process */
	double read_bytes;
	double write_bytes;
};

struct bill {
	struct bill_row *rows; /* by CPU time, the most first; what no process has comes last */
	size_t count;
	bool has_difference;      /* the last row is what no process has */
	struct programs programs; /* that own the texts */
};

/* The texts of the rows last as long as `processes`. Returns 0, or -1 with errno when there is no memory. */
int bill_by_command(struct bill *bill, const struct processes *processes, const struct totals *totals);
int bill_by_process(struct bill *bill, const struct processes *processes, const struct totals *totals);
void bill_free(struct bill *bill);

/* The rows from `first` to before `end` as one. */
struct bill_row bill_sum(const struct bill *bill, size_t first, size_t end);

/* An array of objects. The caller owns it. */
cJSON *bill_json(const struct bill *bill);

#endif
