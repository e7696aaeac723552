/* rtrack-report show --by line: see show_lines.c. */
#ifndef RTRACK_REPORT_COMMANDS_SHOW_LINES_H
#define RTRACK_REPORT_COMMANDS_SHOW_LINES_H

#include "report/commands/options.h"
#include "report/model/model.h"

bool show_lines_wanted(const struct options *options);

/* Prints them. Returns the exit status. */
int show_lines(const struct options *options, const struct model *model);

#endif
