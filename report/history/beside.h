/* SPDX-License-Identifier: Apache-2.0 */
/* Runs beside others: ranks of a group have their machine's share of one request, and each says in its records that the
 * whole of it was asked for. */
#ifndef RTRACK_REPORT_HISTORY_BESIDE_H
#define RTRACK_REPORT_HISTORY_BESIDE_H

#include "report/history/waste.h"

struct beside {
	const char *group; /* the allocation (spool/unit.h), or another group; "": of none */
	const char *host, *parent;
	double start_time;
	const struct use *use;
	/* What it asked for and used is added. Of runs of one group, machine and parent, each of which began before all
	 * before it had ended, the first has that of all of them, once, and the others have nothing. */
	struct waste *waste;
};

/* Sorts the runs. */
void beside_add_up(struct beside *runs, size_t count);

#endif
