/* SPDX-License-Identifier: Apache-2.0 */
/* rtrack-report recommend --history FILE: computes the request from a history that another tool keeps.
 *
 * The first line of output has only the request in MiB, for scripts that read one number. The other lines describe the
 * basis of the request: each has a word, a tab and a figure. */
#include "report/commands/commands.h"

#include "report/advice/allowance.h"
#include "report/advice/history_text.h"
#include "report/history/history.h"
#include "report/say/json.h"
#include "core/number.h"
#include "report/spool/lines.h"
#include "report/say/message.h"
#include "report/advice/dialects.h"
#include "report/commands/advice.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* -- reading --------------------------------------------------------------------------------------- */

static int read_lines(struct history_text *history, struct lines *lines, const char *name)
{
	struct line line;

	while (lines_next(lines, &line)) {
		const char *wrong =
			line.cut ? "it is too long" : history_text_take(history, (struct text){line.data, line.length});
		if (wrong) {
			message_print("%s, line %llu: %s", name, (unsigned long long)line.number, wrong);
			return -1;
		}
	}
	if (lines->error) {
		message_cannot_read(name, lines->error);
		return -1;
	}
	if (!history->whole) {
		message_print("%s: the last line must begin with '?'", name);
		return -1;
	}
	return 0;
}

/* The file may be a pipe, such as <(…) in a shell. */
static int read_history(struct history_text *history, const char *path)
{
	bool standard = strcmp(path, "-") == 0;
	const char *name = standard ? "stdin" : path;
	int file = standard ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC);
	struct lines lines;

	history_text_begin(history);
	if (file < 0) {
		message_cannot_read(name, errno);
		return -1;
	}
	lines_take(&lines, file, name);
	int result = read_lines(history, &lines, name);
	lines_close(&lines);
	return result;
}

/* -- answers --------------------------------------------------------------------------------------- */

static struct rule_answer ask(
	const struct history_text *history, const struct rule_form *form, const struct rule_run *runs, double failures)
{
	return rule_ask(&(struct rule_question){
		.form = form,
		.runs = runs,
		.count = history->count,
		.input = history->next_input,
		.limit = UNKNOWN,
		.care = rule_care(failures),
	});
}

/* Computes the same request as `recommend --rule classic` after the last of these runs. */
static struct rule_answer ask_classic(const struct history_text *history, double earlier)
{
	struct rule_answer answer = {.request = UNKNOWN, .largest = UNKNOWN, .median = UNKNOWN, .smallest = UNKNOWN};

	for (size_t i = history->count; i > 0 && (double)answer.runs <= earlier; i--) {
		answer.largest = known_larger(answer.largest, history->memory[i - 1].peak);
		answer.runs++;
	}
	answer.request = resources_by_rule(UNKNOWN, answer.largest, UNKNOWN, UNKNOWN).memory_mib;
	return answer;
}

static cJSON *make_json(const struct rule_answer *memory, const struct rule_answer *time, double failures, bool classic)
{
	cJSON *json = cJSON_CreateObject();
	cJSON *part = cJSON_AddObjectToObject(json, "resources");

	json_add_number(part, "memory", memory->request, 0);
	json_add_number(part, "seconds", time->request, 0);
	part = cJSON_AddObjectToObject(json, "basis");
	cJSON_AddNumberToObject(part, "runs", (double)memory->runs);
	json_add_number(part, "largest", memory->largest, 3);
	json_add_number(part, "median", memory->median, 3);
	cJSON_AddBoolToObject(part, "input", memory->line_runs > 0);
	json_add_number(part, "failures", classic ? UNKNOWN : 1 / failures, 9);
	return json;
}

static int print_answers(
	const struct rule_answer *memory, const struct rule_answer *time, double failures, bool classic)
{
	printf("%.0f\n", memory->request);
	if (number_known(time->request))
		printf("seconds\t%.0f\n", time->request);
	printf("runs\t%zu\nlargest\t%.15g\n", memory->runs, memory->largest);
	if (classic)
		return EXIT_DONE;
	printf("median\t%.15g\ninput\t%s\nfailures\t1/%.0f\n", memory->median, memory->line_runs > 0 ? "yes" : "no",
		failures);
	return EXIT_DONE;
}

static int print_answer_lines(const struct rule_answer *memory, const struct rule_answer *time, const char *word)
{
	struct resources resources = {.cpu = UNKNOWN,
		.memory_mib = memory->request,
		.gpu = UNKNOWN,
		.vram_mib = UNKNOWN,
		.seconds = time->request,
		.disk_mib = UNKNOWN};
	char *lines = dialect_lines(&resources, (enum dialect)dialect_find(word));

	fputs(lines, stdout);
	free(lines);
	return EXIT_DONE;
}

int recommend_history_command(const struct options *options)
{
	const char *tool = options->text[OPTION_for];
	bool classic = options_is(options, OPTION_rule, "classic");
	double failures = known_first(options->number[OPTION_failures], ALLOWANCE_FAILURES);
	struct rule_answer time = {.request = UNKNOWN};
	struct history_text history;
	double input;

	if (options->run) {
		message_print("unexpected argument '%s': --history takes no run", options->run);
		return EXIT_USAGE;
	}
	if (read_history(&history, options->text[OPTION_history]) != 0)
		return EXIT_NO_DATA;
	if (advice_input(options, &input) != 0)
		return EXIT_NO_DATA;
	history.next_input = known_first(input, history.next_input);
	if (history.count == 0) {
		message_print("the history has no run: a request needs at least one");
		return EXIT_NO_DATA;
	}
	struct rule_answer memory =
		classic ? ask_classic(&history, known_first(options->number[OPTION_runs], HISTORY_RUNS))
			: ask(&history, &rule_memory, history.memory, failures);
	if (!classic)
		time = ask(&history, &rule_time, history.time, failures);
	if (options->json)
		return json_print(make_json(&memory, &time, failures, classic));
	return tool ? print_answer_lines(&memory, &time, tool) : print_answers(&memory, &time, failures, classic);
}
