/* What is sent as metrics of OpenTelemetry: ExportMetricsServiceRequest in its JSON encoding. */
#ifndef RTRACK_REPORT_FLEET_OTLP_BODY_H
#define RTRACK_REPORT_FLEET_OTLP_BODY_H

#include "report/fleet/points.h"
#include "report/model/total.h"
#include "report/spool/run.h"

/* The caller frees it; NULL: no memory. */
char *otlp_body_of_points(const struct run *run, const struct points *points);
/* `totals` may be NULL. */
char *otlp_body_of_totals(const struct run *run, const struct totals *totals);

#endif
