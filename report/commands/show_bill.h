/* rtrack-report show --by: see show_bill.c. */
#ifndef RTRACK_REPORT_COMMANDS_SHOW_BILL_H
#define RTRACK_REPORT_COMMANDS_SHOW_BILL_H

#include "report/commands/options.h"
#include "report/model/model.h"

/* The section of the model that --by asks for. */
enum model_section show_bill_section(const struct options *options);

/* Prints it. Returns the exit status. */
int show_bill(const struct options *options, const struct model *model);

#endif
