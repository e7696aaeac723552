/* SPDX-License-Identifier: Apache-2.0 */
/* Sums what concurrent runs requested and used. Ranks of a group share one request of their machine, but each rank's
 * record has the whole request. */
#ifndef RTRACK_REPORT_HISTORY_BESIDE_H
#define RTRACK_REPORT_HISTORY_BESIDE_H

#include "report/history/waste.h"
#include "report/model/runs_peak.h"
#include "report/model/use.h"

/* Usage of several runs on one machine. */
struct together {
	struct use before; /* usage of all runs that had ended when the current set began */
	struct use now;    /* usage of the current set of overlapping runs */
	bool any_before, any_now;
	double start, stop; /* start of the first run, end of the last run */
	double machine_mib;
	struct run_peak *runs; /* freed by together_end */
	size_t count;
};

struct together together_begin(void);
/* Adds a run; call in order of start. `stop` and `machine_mib` may be UNKNOWN. */
void together_add(struct together *all, double start, double stop, double machine_mib, const struct use *use);
/* Stores the result in `use` and frees the rest. Returns false if no run was added. */
bool together_end(struct together *all, struct use *use);

struct beside {
	const char *group; /* the allocation (spool/unit.h), or another group, or "" */
	const char *host, *parent;
	double start_time;
	const struct use *use;
	/* Receives what the run requested and used. For overlapping runs of one group, machine and parent, the first
	 * receives the sum of all of them, and the others receive nothing. */
	struct waste *waste;
};

/* Adds each run to its `waste`. Sorts the runs. */
void beside_add_up(struct beside *runs, size_t count);

#endif
