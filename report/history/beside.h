/* SPDX-License-Identifier: Apache-2.0 */
/* Sums what concurrent runs requested and used. Ranks of a group share one request of their machine, but each rank's
 * record has the whole request. */
#ifndef RTRACK_REPORT_HISTORY_BESIDE_H
#define RTRACK_REPORT_HISTORY_BESIDE_H

#include "report/history/waste.h"

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
