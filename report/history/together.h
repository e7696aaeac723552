/* SPDX-License-Identifier: Apache-2.0 */
/* What runs of one machine used together. */
#ifndef RTRACK_REPORT_HISTORY_TOGETHER_H
#define RTRACK_REPORT_HISTORY_TOGETHER_H

#include "report/model/runs_peak.h"
#include "report/model/use.h"

struct together {
	struct use before; /* of all runs that had ended when those of `now` began */
	struct use now;    /* of runs each of which began before all others had ended */
	bool any_before, any_now;
	double start, stop; /* of the first and the last of all */
	double machine_mib;
	struct run_peak *runs; /* owned until together_end */
	size_t count;
};

struct together together_begin(void);
/* Adds a run, in the order of their starts. `stop` and `machine_mib` may be UNKNOWN. */
void together_add(struct together *all, double start, double stop, double machine_mib, const struct use *use);
/* Fills `use`, and frees the rest. Returns false if there was no run. */
bool together_end(struct together *all, struct use *use);

#endif
