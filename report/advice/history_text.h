/* SPDX-License-Identifier: Apache-2.0 */
/* Parses a history of runs that another tool recorded: one line per run, oldest first, then a line for the next run:
 *
 *   peak_MiB<TAB>seconds<TAB>input_bytes
 *   ?<TAB>-<TAB>input_bytes
 *
 * Seconds and input_bytes are "-" if they are unknown. All runs count as finished. Only the latest runs, which the rule
 * uses, are kept in memory, so a history may have any length. */
#ifndef RTRACK_REPORT_ADVICE_HISTORY_TEXT_H
#define RTRACK_REPORT_ADVICE_HISTORY_TEXT_H

#include "core/base.h"
#include "report/advice/rule.h"

enum { HISTORY_TEXT_ROOM = 2 * RULE_RUNS_MAX };

struct history_text {
	/* peaks in MiB of the latest runs; at least RULE_RUNS_MAX runs if the history has that many */
	struct rule_run memory[HISTORY_TEXT_ROOM];
	struct rule_run time[HISTORY_TEXT_ROOM]; /* durations of the same runs in seconds */
	size_t count;
	double next_input; /* input size of the next run in bytes, or UNKNOWN */
	bool whole;        /* whether the line of the next run was found */
};

void history_text_begin(struct history_text *history);

/* Parses the next line, which must not contain its '\n'. Returns NULL, or an error message. If there is an error, the
 * history is unchanged. */
const char *history_text_take(struct history_text *history, struct text line);

#endif
