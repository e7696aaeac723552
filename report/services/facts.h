/* SPDX-License-Identifier: Apache-2.0 */
/* Facts of the machine that run.json lacks and that the machine itself can still tell, for runs of this host since it
 * was started. */
#ifndef RTRACK_REPORT_SERVICES_FACTS_H
#define RTRACK_REPORT_SERVICES_FACTS_H

#include "report/services/cloud.h"
#include "report/spool/run.h"

/* Adds what is missing to server{} and cloud{} of run->json. */
void facts_add(struct run *run, enum cloud_asking asking);

#endif
