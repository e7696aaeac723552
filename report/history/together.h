/* SPDX-License-Identifier: Apache-2.0 */
/* Combines the usage of several runs on one machine. */
#ifndef RTRACK_REPORT_HISTORY_TOGETHER_H
#define RTRACK_REPORT_HISTORY_TOGETHER_H

#include "report/model/runs_peak.h"
#include "report/model/use.h"

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

#endif
