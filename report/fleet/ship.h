/* Sends runs to a target, and tries again what may arrive later. */
#ifndef RTRACK_REPORT_FLEET_SHIP_H
#define RTRACK_REPORT_FLEET_SHIP_H

#include "report/fleet/target.h"

struct ship_sums {
	uint64_t runs; /* of which something was sent */
	uint64_t rows;
	uint64_t batches;
	uint64_t left;    /* runs of which something could not be sent */
	uint64_t engaged; /* that another process sends now */
};

/* Sends what there is of the run in `directory`; if `follow`, also what comes, every `every` seconds, until the run is
 * over or SIGTERM asks for the end: then what is there is sent, and no more waited for. False: something was left, and
 * target->why says why. */
bool ship_run(struct target *target, const char *directory, bool follow, double every, struct ship_sums *sums);

/* Sends all runs of a spool, the oldest first; those that are sent already take no time. At the first that cannot be
 * sent it ends. As above. */
bool ship_all(struct target *target, const char *spool, struct ship_sums *sums);

#endif
