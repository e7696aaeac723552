/* SPDX-License-Identifier: Apache-2.0 */
/* Prints the machines and ranks of a group, or the runs of a script, as tables on a terminal. */
#ifndef RTRACK_REPORT_TEXT_GROUP_TEXT_H
#define RTRACK_REPORT_TEXT_GROUP_TEXT_H

#include "report/model/group.h"
#include "report/say/terminal.h"

/* Writes the balance of the group, the clock offsets, and its machines and ranks. Bars show CPU time. Of a large group,
 * only ranks that stand out are listed. */
void group_write_text(const struct terminal *terminal, const struct group *group);

#endif
