/* SPDX-License-Identifier: Apache-2.0 */
/* Parses a history of runs that another tool recorded. */
#include "report/advice/history_text.h"

#include <math.h>
#include <string.h>

enum { FIELDS = 3 };

void history_text_begin(struct history_text *history)
{
	history->count = 0;
	history->next_input = UNKNOWN;
	history->whole = false;
}

/* Splits a line into fields. Returns false unless the line has exactly FIELDS fields. */
static bool split(struct text line, struct text fields[FIELDS])
{
	size_t at = 0;

	for (size_t i = 0; i < FIELDS; i++) {
		size_t end = text_find(line, '\t', at);
		if (at > line.length || (i < FIELDS - 1) != (end < line.length))
			return false;
		fields[i] = (struct text){line.data + at, end - at};
		at = end + 1;
	}
	return true;
}

static bool read_amount(struct text field, double *value)
{
	return field.length > 0 && number_read(field, value) == 0 && *value >= 0 && isfinite(*value);
}

/* Parses a number. "-" means UNKNOWN. */
static bool read_known(struct text field, double *value)
{
	*value = UNKNOWN;
	return text_is(field, "-") || read_amount(field, value);
}

static void keep_run(struct history_text *history, double peak, double seconds, double input)
{
	if (history->count == HISTORY_TEXT_ROOM) {
		history->count = RULE_RUNS_MAX;
		memcpy(history->memory, history->memory + RULE_RUNS_MAX, RULE_RUNS_MAX * sizeof *history->memory);
		memcpy(history->time, history->time + RULE_RUNS_MAX, RULE_RUNS_MAX * sizeof *history->time);
	}
	history->memory[history->count] = (struct rule_run){peak, input, UNKNOWN, RULE_FINISHED};
	history->time[history->count++] = (struct rule_run){seconds, input, UNKNOWN, RULE_FINISHED};
}

const char *history_text_take(struct history_text *history, struct text line)
{
	struct text fields[FIELDS];
	double peak;
	double seconds;
	double input;

	if (history->whole)
		return "the line that begins with '?' must be the last";
	if (!split(line, fields))
		return "expected three fields with a tab between them: peak in MiB, seconds, input in bytes";
	if (!read_known(fields[2], &input))
		return "the third field, the size of the input, must be a number of bytes or '-'";
	if (text_is(fields[0], "?")) {
		if (!text_is(fields[1], "-"))
			return "the second field of the last line must be '-'";
		history->next_input = input;
		history->whole = true;
		return NULL;
	}
	if (!read_amount(fields[0], &peak))
		return "the first field, the peak, must be a number of MiB or '?'";
	if (!read_known(fields[1], &seconds))
		return "the second field, the run time, must be a number of seconds or '-'";
	keep_run(history, peak, seconds, input);
	return NULL;
}
