/* SPDX-License-Identifier: Apache-2.0 */
/* Sends runs to a target, and retries what may succeed later. */
#ifndef RTRACK_REPORT_FLEET_SHIP_H
#define RTRACK_REPORT_FLEET_SHIP_H

#include "report/fleet/target.h"

struct ship_sums {
	uint64_t runs; /* with something sent */
	uint64_t rows;
	uint64_t batches;
	uint64_t left;    /* runs with something left */
	uint64_t engaged; /* runs that another process is sending */
};

/* Sends the run in `directory`. If `follow`, sends again every `every` seconds until the run is over or SIGTERM asks
 * for an end. Returns false if something is left, with target->why. */
bool ship_run(struct target *target, const char *directory, bool follow, double every, struct ship_sums *sums);

/* Sends all runs of a spool, the oldest first, and stops at the first that cannot be sent whole. Returns as ship_run.
 */
bool ship_all(struct target *target, const char *spool, struct ship_sums *sums);

#endif
