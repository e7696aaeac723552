/* rtrack-report show --by: see show_bill.c. */
#ifndef RTRACK_REPORT_COMMANDS_SHOW_BILL_H
#define RTRACK_REPORT_COMMANDS_SHOW_BILL_H

#include "report/model/postmortem.h"
#include "report/commands/options.h"
#include "report/model/model.h"
#include "report/spool/run.h"

/* Prints the bill that --by asks for. `lack`: of its post-mortem, whose victim the bill knows as well. Returns the exit
 * status. */
int show_bill(const struct options *options, const struct run *run, struct model *model,
	const struct postmortem_question *lack);

#endif
