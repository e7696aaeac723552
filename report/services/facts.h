/* What run.json does not say of the machine, but the machine itself still can: for runs of this host since it was
 * started. */
#ifndef RTRACK_REPORT_SERVICES_FACTS_H
#define RTRACK_REPORT_SERVICES_FACTS_H

#include "report/services/cloud.h"
#include "report/spool/run.h"

/* Adds to server{} and cloud{} of run->json what is missing there. */
void facts_add(struct run *run, enum cloud_asking asking);

#endif
