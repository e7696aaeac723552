/* pushgateway+http://HOST[:PORT][/PATH], and pushgateway+https://: a run's totals to the Pushgateway of Prometheus,
 * once the run is over, as `export --to prometheus-textfile` writes them.
 *
 * A PUT replaces all that stands under a job and a user (and a rank, which the run of a group has), so that it is the
 * latest run that stands there: a run that began before one that was sent from the same spool is not sent any more. */
#ifndef RTRACK_REPORT_FLEET_PUSHGATEWAY_H
#define RTRACK_REPORT_FLEET_PUSHGATEWAY_H

#include "report/fleet/target.h"

extern const struct target_kind pushgateway_target;
extern const struct target_kind pushgateway_secure_target;

#endif
