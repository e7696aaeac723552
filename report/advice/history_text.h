/* SPDX-License-Identifier: Apache-2.0 */
/* Parses a history that another tool kept: one line per run, oldest first, and a last line for the next run:
 *
 *   peak_MiB<TAB>seconds<TAB>input_bytes
 *   ?<TAB>-<TAB>input_bytes
 *
 * Seconds and input_bytes may be "-" for unknown. All runs count as finished. Only as many of the latest runs are
 * kept as the rule uses, so a history may have any length. */
#ifndef RTRACK_REPORT_ADVICE_HISTORY_TEXT_H
#define RTRACK_REPORT_ADVICE_HISTORY_TEXT_H

#include "core/base.h"
#include "report/advice/rule.h"

enum { HISTORY_TEXT_ROOM = 2 * RULE_RUNS_MAX };

struct history_text {
	struct rule_run memory[HISTORY_TEXT_ROOM]; /* MiB; at least the latest RULE_RUNS_MAX runs, or all */
	struct rule_run time[HISTORY_TEXT_ROOM];   /* seconds, of the same runs */
	size_t count;
	double next_input; /* input size of the next run in bytes, or UNKNOWN */
	bool whole;        /* the last line was present */
};

void history_text_begin(struct history_text *history);

/* Parses the next line, without its '\n'. Returns NULL, or the problem; then nothing is added. */
const char *history_text_take(struct history_text *history, struct text line);

#endif
