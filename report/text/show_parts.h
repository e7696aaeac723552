/* The parts of a run that the job named, as the screen of `show` has them. */
#ifndef RTRACK_REPORT_TEXT_SHOW_PARTS_H
#define RTRACK_REPORT_TEXT_SHOW_PARTS_H

#include "report/model/parts.h"
#include "report/say/terminal.h"

/* Writes a line for each, with a heading; nothing where there are none. */
void show_parts(const struct terminal *terminal, const struct parts *parts);

#endif
