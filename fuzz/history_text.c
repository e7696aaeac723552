/* SPDX-License-Identifier: Apache-2.0 */
/* Parses any bytes as lines of a history. An accepted history must have a bounded size, and its request must be
 * printable. */
#include "fuzz/fuzz.h"
#include "report/advice/history_text.h"

static void check(const struct history_text *history, const struct rule_form *form, const struct rule_run *runs)
{
	static const double cares[] = {0.2, 1, 20};

	for (size_t i = 0; i < ARRAY_LENGTH(cares); i++) {
		struct rule_answer answer = rule_ask(&(struct rule_question){
			.form = form,
			.runs = runs,
			.count = history->count,
			.input = history->next_input,
			.limit = i == 0 ? 1000 : UNKNOWN,
			.care = cares[i],
		});
		REQUIRE(answer.runs <= RULE_RUNS_MAX && answer.line_runs <= answer.runs);
		REQUIRE(number_known(answer.request) == (answer.runs > 0));
		REQUIRE(answer.runs == 0 || (answer.request >= form->unit && answer.request < 1e13));
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *copy = fuzz_copy(data, size, false);
	struct text text = {copy, size};
	struct history_text history;
	size_t lines = 0;

	history_text_begin(&history);
	for (size_t at = 0; at < size; lines++) {
		size_t end = text_find(text, '\n', at);
		(void)history_text_take(&history, (struct text){copy + at, end - at});
		at = end + 1;
	}
	REQUIRE(history.count <= HISTORY_TEXT_ROOM && history.count <= lines);
	check(&history, &rule_memory, history.memory);
	check(&history, &rule_time, history.time);
	free(copy);
	return 0;
}
