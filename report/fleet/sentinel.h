/* sentinel: Spare Cores Sentinel, which is told of a run when it begins and when it ends, and gives a place in a bucket
 * for its rows.
 *
 * SENTINEL_API_URL, else its public address, and SENTINEL_API_TOKEN or SENTINEL_API_KEY say where and as which user. A
 * batch has the machine's and the job's rows side by side, as `export --to csv`, and is called 0001.csv.gz and so on. A
 * run of less than a minute is sent as a whole with its end. */
#ifndef RTRACK_REPORT_FLEET_SENTINEL_H
#define RTRACK_REPORT_FLEET_SENTINEL_H

#include "report/fleet/target.h"

extern const struct target_kind sentinel_target;

#endif
