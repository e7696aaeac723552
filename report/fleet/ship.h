/* SPDX-License-Identifier: Apache-2.0 */
/* Sends runs to a target, and repeats failed attempts. */
#ifndef RTRACK_REPORT_FLEET_SHIP_H
#define RTRACK_REPORT_FLEET_SHIP_H

#include "report/fleet/target.h"

struct ship_sums {
	uint64_t runs; /* number of runs for which something was sent */
	uint64_t rows;
	uint64_t batches;
	uint64_t left;    /* number of runs that were not sent completely */
	uint64_t engaged; /* number of runs that another process is sending */
};

/* Sends the run in `directory`. With `follow`, sends again every `every` seconds until the run has ended or SIGTERM
 * arrives. Returns false, with target->why set, if the run was not sent completely. */
bool ship_run(struct target *target, const char *directory, bool follow, double every, struct ship_sums *sums);

/* Sends all runs of a spool, oldest first, and stops at the first run that cannot be sent completely. Returns the
 * result of the last ship_run. */
bool ship_all(struct target *target, const char *spool, struct ship_sums *sums);

#endif
