/* otlp+http://HOST[:PORT][/PATH], and otlp+https://: metrics of OpenTelemetry, in JSON over HTTP.
 *
 * Each row of process.csv and system.csv becomes a data point of each column's metric, at its own time; counters are
 * cumulative sums since the run's start. The run is the resource. After the last row come the totals, as
 * rtrack.run.KEY. */
#ifndef RTRACK_REPORT_FLEET_OTLP_H
#define RTRACK_REPORT_FLEET_OTLP_H

#include "report/fleet/target.h"

extern const struct target_kind otlp_target;
extern const struct target_kind otlp_secure_target;

#endif
