/* The programs of a run, as the screen and the JSON of `show` have them. */
#ifndef RTRACK_REPORT_TEXT_SHOW_PROGRAMS_H
#define RTRACK_REPORT_TEXT_SHOW_PROGRAMS_H

#include "report/figures/programs.h"
#include "report/say/json.h"
#include "report/say/terminal.h"

/* Writes those that fit below `lines` lines. */
void show_programs(const struct terminal *terminal, const struct programs *programs, unsigned lines);

/* An array of all of them. The caller owns it. */
cJSON *programs_json(const struct programs *programs);

#endif
