/* s3://BUCKET/PREFIX: each batch is an object
 *
 *   PREFIX/TABLE/date=YYYY-MM-DD/run=ID/OFFSET.csv.gz     OFFSET: where in the table's file it begins
 *   PREFIX/runs/date=YYYY-MM-DD/run=ID/run.json.gz        last, once the run is over
 *
 * so that an engine that knows partitions has the day and the run as columns. */
#ifndef RTRACK_REPORT_FLEET_S3_H
#define RTRACK_REPORT_FLEET_S3_H

#include "report/fleet/target.h"

extern const struct target_kind s3_target;

#endif
