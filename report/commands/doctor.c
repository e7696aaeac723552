/* SPDX-License-Identifier: Apache-2.0 */
/* rtrack-report doctor: prints which parts of rtrack work on this machine, and how to fix the others. */
#include "report/commands/commands.h"

#include "report/say/json.h"
#include "report/say/terminal.h"
#include "report/services/health.h"

enum { WORD_WIDTH = 6, TITLE_WIDTH = 14, INDENT = WORD_WIDTH + TITLE_WIDTH };

static const struct {
	const char *word;
	enum colour colour;
} words[] = {
	[HEALTH_FINE] = {"ok", COLOUR_good},
	[HEALTH_LESS] = {"less", COLOUR_warn},
	[HEALTH_BAD] = {"bad", COLOUR_bad},
	[HEALTH_OPEN] = {"open", COLOUR_dim},
};

struct visit {
	struct terminal terminal;
	cJSON *checks; /* JSON array of the checks, or NULL to print them */
	bool bad;
};

static void take_check(void *context, enum health_check check, enum health health, const char *finding)
{
	struct visit *visit = context;
	const struct terminal *terminal = &visit->terminal;

	visit->bad |= health == HEALTH_BAD;
	if (visit->checks) {
		cJSON *row = cJSON_CreateObject();
		cJSON_AddStringToObject(row, "check", health_words[check].key);
		cJSON_AddStringToObject(row, "result", words[health].word);
		cJSON_AddStringToObject(row, "finding", finding);
		json_add_string(row, "remedy", health == HEALTH_FINE ? NULL : health_words[check].remedy);
		cJSON_AddItemToArray(visit->checks, row);
		return;
	}
	terminal_colour(terminal, words[health].colour);
	terminal_text(terminal, words[health].word, WORD_WIDTH, WORD_WIDTH);
	terminal_colour(terminal, COLOUR_plain);
	terminal_text(terminal, health_words[check].title, TITLE_WIDTH, TITLE_WIDTH);
	terminal_wrap(terminal, finding, INDENT, INDENT);
	if (health == HEALTH_FINE)
		return;
	fprintf(terminal->out, "%*s", INDENT, "");
	terminal_wrap(terminal, health_words[check].remedy, INDENT, INDENT);
}

int doctor_command(const struct options *options, const char *spool)
{
	struct visit visit = {.terminal = terminal_of(stdout)};
	cJSON *json = options->json ? cJSON_CreateObject() : NULL;

	if (json)
		visit.checks = cJSON_AddArrayToObject(json, "checks");
	health_examine(spool, take_check, &visit);
	if (json) {
		cJSON_AddBoolToObject(json, "works", !visit.bad);
		json_print(json);
	}
	return visit.bad ? EXIT_NO_DATA : EXIT_DONE;
}
