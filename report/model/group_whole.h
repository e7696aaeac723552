/* SPDX-License-Identifier: Apache-2.0 */
/* Presents a group as one run, so that everything that shows a run can show a group.
 *
 * The figures are the group's. The run's directory does not exist, so figures that come only from a run's own files are
 * unknown. */
#ifndef RTRACK_REPORT_MODEL_GROUP_WHOLE_H
#define RTRACK_REPORT_MODEL_GROUP_WHOLE_H

#include "report/model/model.h"
#include "report/model/group.h"

struct whole {
	struct run run;
	struct model model;
};

/* Moves tables and processes out of `group`, which was read with `as_run`; `group` must outlive `whole`. */
void whole_make(struct whole *whole, struct group *group, unsigned sections);
void whole_free(struct whole *whole);

#endif
