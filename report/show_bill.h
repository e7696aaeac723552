/* rtrack-report show --by: see show_bill.c. */
#ifndef RTRACK_REPORT_SHOW_BILL_H
#define RTRACK_REPORT_SHOW_BILL_H

#include "report/options.h"
#include "report/run.h"
#include "report/summary.h"

/* Prints the bill that --by asks for. Returns the exit status. */
int show_bill(const struct options *options, const struct run *run, struct summary *summary);

#endif
