/* SPDX-License-Identifier: Apache-2.0 */
/* Sums what concurrent runs requested and used. The ranks of a group share one request on their machine, but the record
 * of each rank contains the whole request. The request must therefore be added only once. */
#ifndef RTRACK_REPORT_HISTORY_BESIDE_H
#define RTRACK_REPORT_HISTORY_BESIDE_H

#include "report/history/waste.h"
#include "report/model/runs_peak.h"
#include "report/model/use.h"

/* Sums the usage of several runs on one machine. */
struct together {
	struct use before; /* usage of all runs that ended before the current set began */
	struct use now;    /* usage of the current set of overlapping runs */
	bool any_before, any_now;
	double start, stop; /* start of the first run, and end of the run that ended last */
	double machine_mib;
	struct run_peak *runs; /* freed by together_end */
	size_t count;
};

struct together together_begin(void);
/* Adds a run. Runs must be added in order of their start. `stop` and `machine_mib` may be UNKNOWN. */
void together_add(struct together *all, double start, double stop, double machine_mib, const struct use *use);
/* Stores the sum in `use` and frees the memory of `all`. Returns false if no run was added. */
bool together_end(struct together *all, struct use *use);

struct beside {
	const char *group; /* result of unit_allocation, or another name for runs that share one request, or "" */
	const char *host, *parent;
	double start_time;
	const struct use *use;
	/* What the run requested and used is added here. If runs of the same group, machine and parent overlap, the sum
	 * of all of them is added to the `waste` of the first, and nothing to those of the others. */
	struct waste *waste;
};

/* Adds each run to its `waste`. Changes the order of the runs. */
void beside_add_up(struct beside *runs, size_t count);

#endif
