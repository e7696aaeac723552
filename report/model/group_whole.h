/* SPDX-License-Identifier: Apache-2.0 */
/* A group as one run, for all that shows a run: its figures are those of the group, and its directory is nowhere, so
 * that what only a run's own files tell is unknown of it. */
#ifndef RTRACK_REPORT_MODEL_GROUP_WHOLE_H
#define RTRACK_REPORT_MODEL_GROUP_WHOLE_H

#include "report/model/model.h"
#include "report/model/group.h"

struct whole {
	struct run run;
	struct model model;
};

/* Takes tables and processes of the group, which was read `as_run`; the rest of the group must stay. */
void whole_make(struct whole *whole, struct group *group, unsigned sections);
void whole_free(struct whole *whole);

#endif
