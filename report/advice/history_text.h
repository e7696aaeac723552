/* SPDX-License-Identifier: Apache-2.0 */
/* A history that another tool kept, one line a run, the oldest first, and a last line for the run to come:
 *
 *   peak_MiB<TAB>seconds<TAB>input_bytes
 *   ?<TAB>-<TAB>input_bytes
 *
 * where seconds and input_bytes may be "-", not known. All runs are taken for finished. Only as many of the latest are
 * kept as the rule looks at, so a history may be of any length. */
#ifndef RTRACK_REPORT_ADVICE_HISTORY_TEXT_H
#define RTRACK_REPORT_ADVICE_HISTORY_TEXT_H

#include "core/base.h"
#include "report/advice/rule.h"

enum { HISTORY_TEXT_ROOM = 2 * RULE_RUNS_MAX };

struct history_text {
	struct rule_run memory[HISTORY_TEXT_ROOM]; /* MiB; the latest RULE_RUNS_MAX are there, or all */
	struct rule_run time[HISTORY_TEXT_ROOM];   /* of the same runs, seconds */
	size_t count;
	double next_input; /* bytes; UNKNOWN */
	bool whole;        /* the last line was there */
};

void history_text_begin(struct history_text *history);

/* Takes the next line, without its '\n'. Returns NULL, or why it is none, and then nothing is taken. */
const char *history_text_take(struct history_text *history, struct text line);

#endif
