/* The processes of a run as the tree in which they started one another. */
#ifndef RTRACK_REPORT_TEXT_SHOW_TREE_H
#define RTRACK_REPORT_TEXT_SHOW_TREE_H

#include "report/model/bill.h"
#include "report/say/terminal.h"

/* Writes a line for each process, those that it started below it in their order (process_order); of more than a few
 * children of one program that started none, one line for all. Of more than `limit` lines it writes the first, and how
 * many are left out. Returns 0, or -1 with errno when there is no memory. */
int show_tree(
	const struct terminal *terminal, const struct processes *processes, const struct bill *programs, double limit);

#endif
