/* What there is to say of a group beside the figures of a run, as a section of a page: its machines, its ranks, or the
 * runs of a script. */
#ifndef RTRACK_REPORT_PAGE_GROUP_H
#define RTRACK_REPORT_PAGE_GROUP_H

#include "report/model/group.h"

#include <stdio.h>

void group_write_html(FILE *out, const struct group *group);

#endif
