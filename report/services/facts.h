/* SPDX-License-Identifier: Apache-2.0 */
/* Adds facts about the machine that run.json lacks. The facts are added only to runs that ran on this host after its
 * last boot. */
#ifndef RTRACK_REPORT_SERVICES_FACTS_H
#define RTRACK_REPORT_SERVICES_FACTS_H

#include "report/services/cloud.h"
#include "report/spool/run.h"

/* Adds missing facts to the objects "server" and "cloud" of run->json. */
void facts_add(struct run *run, enum cloud_asking asking);

#endif
