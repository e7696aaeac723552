/* The programs of a run on the screen of `show`; and what stands before all else if the run
 * ended for lack of memory. */
#ifndef RTRACK_REPORT_TEXT_SHOW_PROGRAMS_H
#define RTRACK_REPORT_TEXT_SHOW_PROGRAMS_H

#include "report/model/code.h"
#include "report/model/postmortem.h"
#include "report/model/bill.h"
#include "report/say/terminal.h"

/* Writes the programs of a bill that fit below `lines` lines, and what is in no record, if that is more than a
 * hundredth of the CPU time; they take SHOW_PROGRAMS_LEAST at least, where there are so many. */
enum { SHOW_PROGRAMS_LEAST = 7 };
void show_programs(const struct terminal *terminal, const struct bill *bill, unsigned lines);

/* Writes which limit was met, when, the process that was killed, the holders, and the request; nothing if the run ended
 * otherwise. */
void show_postmortem(const struct terminal *terminal, const struct postmortem *postmortem,
	const struct code_moment *lines, double start_time, double ask_mib);

#endif
